package dev.interlock.jdbc.connection;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a connection, which has the path of its file as it was given. SQLite itself tells only where the links in
 * it have led.
 */
final class SqliteUrl {

    private static final String SCHEME = "jdbc:sqlite:";

    /** A relative one counts from where SQLite believes to be, which need not be where the JVM does. */
    private static final Pattern FILE_URI = Pattern.compile("file:(?://(?:localhost)?)?(/[^?#]*).*", Pattern.DOTALL);

    private SqliteUrl() {}

    /**
     * The path in the URL, absolute, its links not followed; null if it cannot be known from that.
     *
     * @param opened the file that is open, as SQLite tells it
     */
    static @Nullable Path path(@Nullable String url, String opened) {
        if (url == null || !url.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        String name = url.substring(SCHEME.length());
        try {
            return name.startsWith("file:") ? ofUri(name) : plain(name, opened);
        } catch (IllegalArgumentException e) {
            // An escape or a path that SQLite understands and Java does not.
            return null;
        }
    }

    private static @Nullable Path ofUri(String uri) {
        Matcher parts = FILE_URI.matcher(uri);
        // A plus stands for itself in a path.
        return parts.matches()
                ? Path.of(URLDecoder.decode(parts.group(1).replace("+", "%2B"), StandardCharsets.UTF_8))
                : null;
    }

    /** What the driver does not know as a setting, it leaves in the name of the file. */
    private static @Nullable Path plain(String name, String opened) {
        int query = name.indexOf('?');
        if (name.startsWith(":") || (query >= 0 && opened.contains("?"))) {
            return null;
        }
        return Path.of(query < 0 ? name : name.substring(0, query)).toAbsolutePath();
    }
}
