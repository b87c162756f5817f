package dev.interlock.jdbc.connection;

import dev.interlock.support.PercentEncoding;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of an SQLite connection, which contains the path of its file as it was given. SQLite itself reports only the
 * path with all links resolved.
 */
final class SqliteUrl {

    private static final String SCHEME = "jdbc:sqlite:";

    /**
     * Absolute paths only: SQLite resolves a relative one against its working directory, which may differ from that of
     * the JVM.
     */
    private static final Pattern FILE_URI = Pattern.compile("file:(?://(?:localhost)?)?(/[^?#]*).*", Pattern.DOTALL);

    private SqliteUrl() {}

    /**
     * The path in the URL, absolute, with links not followed; null if the URL does not tell it.
     *
     * @param opened the open file, as SQLite reports it
     */
    static @Nullable Path path(@Nullable String url, String opened) {
        if (url == null || !url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
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
        return parts.matches() ? Path.of(PercentEncoding.decode("The path", parts.group(1))) : null;
    }

    /** The driver leaves parameters that it does not know in the name of the file. */
    private static @Nullable Path plain(String name, String opened) {
        int query = name.indexOf('?');
        if (name.startsWith(":") || (query >= 0 && opened.contains("?"))) {
            return null;
        }
        return Path.of(query < 0 ? name : name.substring(0, query)).toAbsolutePath();
    }
}
