package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLDecoder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code redis[s]://[[user]:password@]host[:port][/database][?option=value&...]}. User and password are percent-encoded.
 *
 * <p>Messages name the rule and the part that breaks it, but nothing before the last {@code @}: a password may stand there, wherever it was meant to end.
 */
record StoreUri(RedisURI server, Settings settings) {

    private static final String FORM = "redis://[user:password@]host[:port][/database][?option=value]";
    private static final int DEFAULT_PORT = 6379;
    private static final int LAST_PORT = 65_535;
    private static final Pattern REST =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+\\]|[^\\[\\]:/?#\\s]+)(?::([^/?#]*))?(?:/([^?#]*))?(?:\\?([^#]*))?");

    static StoreUri parse(String uri) {
        boolean tls = uri.regionMatches(true, 0, "rediss://", 0, 9);
        if (!tls && !uri.regionMatches(true, 0, "redis://", 0, 8)) {
            throw new IllegalArgumentException("A Redis URI must begin with redis:// or rediss://, as in " + FORM);
        }
        String afterScheme = uri.substring(uri.indexOf("://") + 3);
        int at = afterScheme.lastIndexOf('@');
        String place = afterScheme.substring(at + 1);
        Matcher rest = REST.matcher(place);
        if (!rest.matches()) {
            throw new IllegalArgumentException("A Redis URI must have the form " + FORM
                    + "; not understood after the credentials: '" + place + "'");
        }
        String host = rest.group(1).replaceAll("[\\[\\]]", "");
        RedisURI server = RedisURI.builder()
                .withHost(host)
                .withPort(port(rest.group(2)))
                .withDatabase(database(rest.group(3)))
                .withSsl(tls)
                .withTimeout(OwnClient.CONNECT_TIMEOUT)
                .build();
        server.setLibraryName("");
        server.setLibraryVersion("");
        if (at >= 0) {
            credentials(server, afterScheme.substring(0, at));
        }
        Settings settings = UriOptions.parse(rest.group(4));
        return new StoreUri(server, settings);
    }

    private static int port(@Nullable String text) {
        if (text == null) {
            return DEFAULT_PORT;
        }
        return number(text, 1, LAST_PORT, "The port of a Redis URI must be a number from 1 to 65535");
    }

    private static int database(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        return number(text, 0, Integer.MAX_VALUE, "The database of a Redis URI must be a number, 0 or more");
    }

    private static int number(String text, int from, int to, String rule) {
        try {
            int number = Integer.parseInt(text);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(rule + ": '" + text + "'");
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
        String user = decoded(text.substring(0, colon));
        String password = decoded(text.substring(colon + 1));
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    "The password of a Redis URI must not be empty; leave out everything up to the @ if there is none");
        }
        server.setCredentialsProvider(
                new StaticCredentialsProvider(user.isEmpty() ? null : user, password.toCharArray()));
    }

    private static String decoded(String text) {
        try {
            // A plus sign is itself in this part of a URI.
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            // The cause's message quotes what it could not decode: it is left out.
            throw new IllegalArgumentException(
                    "User and password of a Redis URI must be percent-encoded: a % must be followed by two hexadecimal digits");
        }
    }
}
