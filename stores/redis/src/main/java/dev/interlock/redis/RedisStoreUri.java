package dev.interlock.redis;

import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.support.Credentials;
import dev.interlock.support.Host;
import dev.interlock.support.PercentEncoding;
import dev.interlock.support.StoreUri;
import dev.interlock.support.UriForm;
import dev.interlock.support.UriOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code redis[s]://[[user]:password@]host[:port][,host[:port]...][/database][?option=value&...]}, or
 * {@code redis-sentinel://} or {@code rediss-sentinel://} with the hosts of Sentinels and {@code /master-name} instead.
 * Whether a server belongs to a cluster is found out from itself: {@code redis-cluster://} and
 * {@code rediss-cluster://} mean the same as {@code redis://} and {@code rediss://}.
 *
 * @param server the first host, with the TLS setting, credentials and database that hold for all
 * @param hosts all hosts
 * @param master the name of the master that the Sentinels watch; null if the hosts are Redis servers
 */
record RedisStoreUri(RedisURI server, List<Host> hosts, @Nullable String master, Settings settings) {

    /** The schemes of all forms. */
    static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel", "rediss-sentinel");

    private static final UriForm SERVERS = new UriForm(
            "a Redis URI",
            List.of("redis", "rediss", "redis-cluster", "rediss-cluster"),
            "redis://[[user]:password@]host[:port][,host[:port]...][/database][?option=value]",
            6379);

    private static final UriForm SENTINELS = new UriForm(
            "a Redis URI",
            List.of("redis-sentinel", "rediss-sentinel"),
            "redis-sentinel://[[user]:password@]host[:port][,host[:port]...]/master-name[?option=value]",
            26_379);

    private static final String DATABASE_RULE = "The database of a Redis URI must be a number, 0 or more";

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if the URI breaks a rule; the message names it, and has no password
     */
    static RedisStoreUri parse(String text) {
        StoreUri uri = StoreUri.parse(text, SERVERS, SENTINELS);
        boolean sentinel = uri.scheme().endsWith("-sentinel");
        UriOptions options = uri.options();
        int database = sentinel ? options.number("db", 0, 0) : database(uri);
        RedisURI server = server(uri, database);
        return new RedisStoreUri(server, uri.hosts(), sentinel ? master(uri) : null, settings(options, sentinel));
    }

    /** A connector to the servers, with a client of its own. */
    Connector connector(Settings chosen) {
        DedicatedClient client = new DedicatedClient(server, chosen.trust(), chosen.certificate());
        NodeConnector first = new NodeConnector(client, server);
        if (master != null) {
            return new SentinelConnector(first, new Sentinels(first, hosts, master));
        }
        return hosts.size() == 1
                ? first
                : new SeedNodesConnector(hosts.stream().map(first::forNode).toList());
    }

    private static RedisURI server(StoreUri uri, int database) {
        Host first = uri.hosts().get(0);
        RedisURI server = RedisURI.builder()
                .withHost(first.name())
                .withPort(first.port())
                .withDatabase(database)
                .withSsl(uri.scheme().startsWith("rediss"))
                .withTimeout(DedicatedClient.CONNECT_TIMEOUT)
                .build();
        server.setLibraryName("");
        server.setLibraryVersion("");
        Credentials credentials = uri.credentials();
        if (credentials != null) {
            server.setCredentialsProvider(provider(credentials));
        }
        return server;
    }

    private static StaticCredentialsProvider provider(Credentials credentials) {
        String user = credentials.user();
        String password = credentials.password();
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException("The credentials of a Redis URI must be user:password or :password,"
                    + " with a colon and a password; leave out everything up to the @ if there is none");
        }
        return new StaticCredentialsProvider(user.isEmpty() ? null : user, password.toCharArray());
    }

    private static int database(StoreUri uri) {
        if (uri.path().isEmpty()) {
            return 0;
        }
        try {
            int database = Integer.parseInt(uri.path());
            if (database >= 0) {
                return database;
            }
        } catch (NumberFormatException e) {
            // The message below says so; that of the cause would quote the path, which may be part of a password.
        }
        throw uri.invalidPath(DATABASE_RULE);
    }

    private static String master(StoreUri uri) {
        if (uri.path().isEmpty()) {
            throw new IllegalArgumentException(
                    "A Redis URI of Sentinels must end with the master's name, as in " + SENTINELS.example());
        }
        return PercentEncoding.decode("The master's name of a Redis URI", uri.path());
    }

    private static Settings settings(UriOptions options, boolean sentinel) {
        if (sentinel) {
            options.only("redissonInterop", "fenceLife", "trust", "cert", "key", "replicas", "replicaTimeout", "db");
        } else {
            options.only("redissonInterop", "fenceLife", "trust", "cert", "key", "replicas", "replicaTimeout");
        }
        Settings settings = Settings.DEFAULTS
                .withRedissonInterop(options.flag("redissonInterop", false))
                .withFenceLife(options.duration("fenceLife", Settings.DEFAULTS.fenceLife()))
                .withReplicaTimeout(options.duration("replicaTimeout", Settings.DEFAULTS.replicaTimeout()));
        String trust = options.text("trust");
        if (trust != null) {
            settings = settings.withTrust(path(options, "trust", trust));
        }
        String cert = options.text("cert");
        String key = options.text("key");
        if ((cert == null) != (key == null)) {
            throw options.invalid(
                    cert == null ? "key" : "cert", "needs the other of cert and key, both paths of PEM files");
        }
        if (cert != null && key != null) {
            settings = settings.withCertificate(path(options, "cert", cert), path(options, "key", key));
        }
        int replicas = options.number("replicas", 1, 0);
        return replicas == 0 ? settings : settings.withReplicas(replicas, settings.replicaTimeout());
    }

    private static Path path(UriOptions options, String name, String path) {
        try {
            if (!path.isEmpty()) {
                return Path.of(path);
            }
        } catch (InvalidPathException e) {
            // The message below says so.
        }
        throw options.invalid(name, "must be the path of a PEM file, percent-encoded");
    }
}
