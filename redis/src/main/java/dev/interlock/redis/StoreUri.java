package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code redis[s]://[[user]:password@]host[:port][,host[:port]...][/database][?option=value&...]}, or
 * {@code redis-sentinel://} or {@code rediss-sentinel://} with the hosts of Sentinels and {@code /master-name} instead.
 * User and password are percent-encoded.
 *
 * <p>Messages name the rule and the part that breaks it, but nothing before the last {@code @}: a password may stand
 * there, wherever it was meant to end. Nor what should be hosts and ports, which is a user and a password if the host
 * has been forgotten.
 *
 * @param server the first host; what it says of TLS, credentials and database holds for all
 * @param hosts all of them
 * @param master the name of the master that the hosts, which are Sentinels, are asked for; null if they are servers
 */
record StoreUri(RedisURI server, List<Address> hosts, @Nullable String master, Settings settings) {

    static final Set<String> SCHEMES = Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

    private static final String FORM = "redis://[user:password@]host[:port][/database][?option=value]";
    private static final String SENTINEL_FORM =
            "redis-sentinel://[user:password@]host[:port][,host[:port]...]/master-name[?option=value]";
    private static final int DEFAULT_PORT = 6379;
    private static final int DEFAULT_SENTINEL_PORT = 26_379;
    private static final int LAST_PORT = 65_535;
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.%]+\\]|[^\\[\\]:/?#,\\s]+)(?::([^/?#,]*))?");
    private static final Pattern REST = Pattern.compile("([^/?#]*)(?:/([^?#]*))?(?:\\?([^#]*))?");

    static StoreUri parse(String uri) {
        int colon = uri.indexOf("://");
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException("A Redis URI must begin with redis:// or rediss://, as in " + FORM
                    + ", or with redis-sentinel:// or rediss-sentinel://, as in " + SENTINEL_FORM);
        }
        boolean sentinel = scheme.endsWith("-sentinel");
        String form = sentinel ? SENTINEL_FORM : FORM;
        String afterScheme = uri.substring(colon + 3);
        int at = afterScheme.lastIndexOf('@');
        Matcher rest = REST.matcher(afterScheme.substring(at + 1));
        if (!rest.matches()) {
            throw notUnderstood(form);
        }
        List<Address> hosts = hosts(rest.group(1), sentinel ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT, form, at >= 0);
        UriOptions options = UriOptions.parse(rest.group(3), sentinel);
        String master = sentinel ? master(rest.group(2), form) : null;
        int database = sentinel
                ? options.database()
                : database(rest.group(2), at >= 0 || rest.group(1).indexOf(':') < 0);
        RedisURI server = server(hosts.get(0), database, scheme.startsWith("rediss"));
        if (at >= 0) {
            credentials(server, afterScheme.substring(0, at));
        }
        return new StoreUri(server, hosts, master, options.settings());
    }

    /** The way to the servers, by a client of its own. */
    Connector connector(Settings chosen) {
        OwnClient client = new OwnClient(server, chosen.trust());
        OwnConnector first = new OwnConnector(client, server);
        if (master != null) {
            return new SentinelConnector(first, new Sentinels(first, hosts, master));
        }
        return hosts.size() == 1
                ? first
                : new SeedsConnector(hosts.stream().map(first::to).toList());
    }

    private static RedisURI server(Address host, int database, boolean tls) {
        RedisURI server = RedisURI.builder()
                .withHost(host.host())
                .withPort(host.port())
                .withDatabase(database)
                .withSsl(tls)
                .withTimeout(OwnClient.CONNECT_TIMEOUT)
                .build();
        server.setLibraryName("");
        server.setLibraryVersion("");
        return server;
    }

    private static List<Address> hosts(String text, int defaultPort, String form, boolean named) {
        List<Address> hosts = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher host = HOST.matcher(one);
            if (!host.matches()) {
                throw notUnderstood(form);
            }
            hosts.add(new Address(host.group(1).replaceAll("[\\[\\]]", ""), port(host.group(2), defaultPort, named)));
        }
        return hosts;
    }

    private static IllegalArgumentException notUnderstood(String form) {
        return new IllegalArgumentException("A Redis URI must have the form " + form
                + "; what stands after the credentials, or in place of them and a host, is not understood");
    }

    private static String master(@Nullable String path, String form) {
        if (path == null || path.isEmpty()) {
            throw new IllegalArgumentException("A URI of Sentinels must end with the master's name, as in " + form);
        }
        return decoded(path, "The master's name");
    }

    /**
     * Without credentials before it, what stands here may be a password whose host has been forgotten; and a port that
     * is no number, the end of one.
     */
    private static int port(@Nullable String text, int otherwise, boolean named) {
        if (text == null) {
            return otherwise;
        }
        boolean isShown = named && text.chars().allMatch(Character::isDigit);
        return number(
                text,
                1,
                LAST_PORT,
                "The port of a Redis URI must be a number from 1 to 65535"
                        + (isShown ? ": '" + text + "'" : "; behind a password stands @host"));
    }

    /**
     * @param shown whether a message may quote it: behind a colon without credentials it may be the end of a password
     *     with a slash
     */
    static int database(@Nullable String text, boolean shown) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        String rule = "The database of a Redis URI must be a number, 0 or more";
        return number(text, 0, Integer.MAX_VALUE, shown ? rule + ": '" + text + "'" : rule);
    }

    private static int number(String text, int from, int to, String rule) {
        try {
            int number = Integer.parseInt(text);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below. Its message quotes the text.
        }
        throw new IllegalArgumentException(rule);
    }

    private static void credentials(RedisURI server, String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "The credentials of a Redis URI must be user:password or :password, with a colon");
        }
        if (text.indexOf('/') >= 0 || text.indexOf('@') >= 0 || text.indexOf('?') >= 0) {
            throw new IllegalArgumentException(
                    "User and password of a Redis URI must be percent-encoded: '/' as %2F, '@' as %40, '?' as %3F");
        }
        String user = decoded(text.substring(0, colon), "User and password");
        String password = decoded(text.substring(colon + 1), "User and password");
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    "The password of a Redis URI must not be empty; leave out everything up to the @ if there is none");
        }
        server.setCredentialsProvider(
                new StaticCredentialsProvider(user.isEmpty() ? null : user, password.toCharArray()));
    }

    private static String decoded(String text, String what) {
        try {
            // A plus sign is itself in this part of a URI.
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            // The cause's message quotes what it could not decode: it is left out.
            throw new IllegalArgumentException(
                    what + " of a Redis URI must be percent-encoded: a % must be followed by two hexadecimal digits");
        }
    }
}
