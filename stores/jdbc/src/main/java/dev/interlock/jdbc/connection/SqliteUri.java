package dev.interlock.jdbc.connection;

import dev.interlock.support.PercentEncoding;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A URI of an SQLite store: {@code jdbc:sqlite:PATH[?prefix=WORD]}, or the same without {@code jdbc:}. In PATH and
 * WORD, {@code %} and two hexadecimal digits encode a byte of UTF-8; {@code %} itself must be written {@code %25}, and
 * {@code ?} {@code %3F}. Every other character, blanks included, stands for itself.
 *
 * @param file the path of the file
 * @param prefix how the names of the tables begin
 */
public record SqliteUri(Path file, String prefix) {

    private static final String FORM = "jdbc:sqlite:/path/to/file.db";
    private static final String PATH = "The path of an SQLite store URI";

    /** Whether a URI has this form. */
    public static boolean isSqlite(String uri) {
        String database = withoutScheme(uri, "jdbc");
        return withoutScheme(database, "sqlite").length() < database.length();
    }

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if it is not of this form; the message says what is wrong
     */
    public static SqliteUri parse(String uri) {
        String database = withoutScheme(uri, "jdbc");
        String rest = withoutScheme(database, "sqlite");
        int query = rest.indexOf('?');
        String path = PercentEncoding.decode(PATH, query < 0 ? rest : rest.substring(0, query));
        return new SqliteUri(path(path), query < 0 ? TablePrefix.DEFAULT : prefix(rest.substring(query + 1)));
    }

    private static Path path(String text) {
        String path = text.startsWith("///") ? text.substring(2) : text;
        if (path.isEmpty() || path.startsWith(":") || path.startsWith("file:") || path.startsWith("//")) {
            throw new IllegalArgumentException("An SQLite store URI must name a file by its path, as in " + FORM
                    + "; this one names '" + text + "'");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "An SQLite store URI must name a file by a valid path: " + e.getReason(), e);
        }
    }

    private static String prefix(String query) {
        String prefix = TablePrefix.DEFAULT;
        for (String parameter : query.split("&", -1)) {
            String name = parameter.split("=", 2)[0];
            if (!name.equals("prefix") || name.length() == parameter.length()) {
                throw new IllegalArgumentException(
                        "An SQLite store URI knows the parameter prefix=WORD and no other: '" + name + "'");
            }
            prefix =
                    PercentEncoding.decode("The prefix of an SQLite store URI", parameter.substring(name.length() + 1));
        }
        return TablePrefix.checked(prefix);
    }

    private static String withoutScheme(String uri, String scheme) {
        int length = scheme.length() + 1;
        return uri.regionMatches(true, 0, scheme + ":", 0, length) ? uri.substring(length) : uri;
    }
}
