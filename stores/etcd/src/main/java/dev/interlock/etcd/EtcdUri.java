package dev.interlock.etcd;

import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.Credentials;
import dev.interlock.support.Host;
import dev.interlock.support.StoreUri;
import dev.interlock.support.UriForm;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * {@code etcd[s]://[user:password@]host[:port][,host[:port]...][/path][?session=15s&trust=/path/ca.pem]}.
 *
 * @param members the members of the cluster, as {@code http://host:port}
 * @param credentials the user and the password; null without
 * @param path what all keys begin with
 * @param session how long the servers keep the claims of a client that is silent
 * @param trust a file with the certificates to trust; null for those of Java
 */
record EtcdUri(
        List<String> members, @Nullable Credentials credentials, String path, Duration session, @Nullable Path trust) {

    /** The length of a session, unless the URI says another. */
    static final Duration SESSION = Duration.ofSeconds(15);

    private static final UriForm FORM = new UriForm(
            "an etcd URI", List.of("etcd", "etcds"), "etcd://[user:password@]host[:port]/path[?session=15s]", 2379);
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._-]{1,64}(/[A-Za-z0-9._-]{1,64}){0,7}");
    private static final String SESSION_RULE = "must be from 2 s to 1 h";
    private static final String PATH_RULE =
            " must be letters, digits, dots, hyphens and underscores, in at most 8 parts"
                    + " of at most 64, with a slash between them";
    private static final String DEFAULT_PATH = "interlock";
    private static final Duration CONNECT = Duration.ofSeconds(1);

    /**
     * After so much silence a member that owes an answer is asked for a sign of life; gRPC asks no more often, and etcd
     * permits twice as many. A connection without a request it ends if it is asked at all: then the next request asks.
     */
    private static final Duration ALIVE = Duration.ofSeconds(10);

    /** @throws IllegalArgumentException if the URI is malformed; the message never has the password */
    static EtcdUri parse(String text) {
        StoreUri uri = StoreUri.parse(text, FORM);
        uri.options().only("session", "trust");
        String path = uri.path().isEmpty() ? DEFAULT_PATH : uri.path();
        if (!PATH.matcher(path).matches()) {
            throw uri.invalidPath("The path of an etcd URI" + PATH_RULE);
        }
        Duration session = uri.options().duration("session", SESSION);
        if (!isSession(session)) {
            throw uri.options().invalid("session", SESSION_RULE);
        }
        boolean tls = uri.scheme().equals("etcds");
        String trust = uri.options().text("trust");
        if (trust != null && !tls) {
            throw uri.options().invalid("trust", "needs TLS: begin the URI with etcds://");
        }
        List<String> members = uri.hosts().stream()
                .map(Host::toString)
                .map(host -> (tls ? "https://" : "http://") + host)
                .toList();
        return new EtcdUri(members, uri.credentials(), path, session, trust == null ? null : Path.of(trust));
    }

    /**
     * A client, which connects with its first request.
     *
     * @throws IllegalStateException if the certificates cannot be read
     */
    Client open() {
        ClientBuilder builder = Client.builder()
                .target(MemberNames.target(members.stream()
                        .map(member -> member.substring(member.indexOf("//") + 2))
                        .toList()))
                // The next member gets the next request: the engine repeats what fails.
                .waitForReady(false)
                .connectTimeout(CONNECT)
                .keepaliveTime(ALIVE)
                .keepaliveTimeout(CONNECT)
                .keepaliveWithoutCalls(false);
        DirectExecutor direct = new DirectExecutor();
        builder.executorService(direct).interceptor(direct);
        if (credentials != null) {
            String password = credentials.password();
            builder.user(Operations.bytes(credentials.user()))
                    .password(password == null ? ByteSequence.EMPTY : Operations.bytes(password));
        }
        try {
            if (members.get(0).startsWith("https")) {
                File trusted = trust == null ? null : trust.toFile();
                builder.sslContext(tls -> {
                    if (trusted != null) {
                        tls.trustManager(trusted);
                    }
                });
            }
        } catch (SSLException | IllegalArgumentException e) {
            throw new StoreRefusal(
                    "The certificates to trust must be in a PEM file that can be read: trust=" + trust, e);
        }
        return builder.build();
    }

    /** Returns the path if keys may begin with it; throws otherwise. */
    static String path(String path) {
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("The path of an etcd store" + PATH_RULE + ": '" + path + "'");
        }
        return path;
    }

    /** Returns the length if a session may have it; throws otherwise. */
    static Duration session(Duration length) {
        if (!isSession(length)) {
            throw new IllegalArgumentException("The session of an etcd store " + SESSION_RULE + ": " + length);
        }
        return length;
    }

    /** As a lease, whose length etcd counts in seconds; a shorter one it makes longer. */
    private static boolean isSession(Duration length) {
        return length.compareTo(Duration.ofSeconds(2)) >= 0 && length.compareTo(Duration.ofHours(1)) <= 0;
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "EtcdUri[members=" + members + ", path=" + path + "]";
    }
}
