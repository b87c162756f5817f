package dev.interlock.jdbc;

import dev.interlock.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, as a script for each database: the same that {@link JdbcStore} runs when it finds none, and that
 * {@code interlock schema} prints for Flyway, Liquibase or a person.
 */
public final class Schema {

    private static final String VERSION = "SELECT version FROM {p}_fence";

    private Schema() {}

    /** The databases that have a script, by the names that {@link #script} knows. */
    public static List<String> dialects() {
        return List.of("postgresql", "mariadb", "mysql", "h2", "sqlite");
    }

    /**
     * The script that makes the tables. It changes nothing where they are.
     *
     * @param dialect one of {@link #dialects()}
     * @param tablePrefix how the names of the tables begin, as in {@link JdbcStore#over(javax.sql.DataSource, String)}
     * @throws IllegalArgumentException if the dialect is not known or the prefix is none; the message says which are
     *     allowed
     */
    public static String script(String dialect, String tablePrefix) {
        if (!dialects().contains(dialect)) {
            throw new IllegalArgumentException(
                    "A dialect must be one of " + String.join(", ", dialects()) + ": '" + dialect + "'");
        }
        return filled(resource(dialect), TablePrefix.checked(tablePrefix));
    }

    /**
     * The statements of a script, which are set apart by a semicolon and an empty line, with {@code {p}} for the
     * prefix.
     */
    static List<String> statements(String dialect) {
        String script = resource(dialect).strip();
        return List.of(script.substring(0, script.length() - 1).split(";\n\n"));
    }

    /** Whether the tables are there; those of another version are an error. */
    static boolean isThere(Connection connection, String prefix) throws SQLException {
        int version = version(connection, prefix);
        if (version != 0 && version != Dialect.SCHEMA_VERSION) {
            throw new StoreUnavailableException(
                    "The tables " + prefix + "_* were made by "
                            + (version > Dialect.SCHEMA_VERSION ? "a later" : "an earlier")
                            + " version of Interlock: schema=" + version + ", known=" + Dialect.SCHEMA_VERSION
                            + "; use that version, or another table prefix, or drop the tables while nobody holds a lock",
                    null);
        }
        return version != 0;
    }

    /** Makes what is not there of the tables. Whoever dies halfway leaves the rest to the next one. */
    static void create(Connection connection, Dialect dialect, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : dialect.schema()) {
                statement.execute(filled(sql, prefix));
            }
        }
    }

    /** The version of the tables; 0 if not all are there: its row is made last. */
    private static int version(Connection connection, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet row = statement.executeQuery(filled(VERSION, prefix));
            return row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            if (isMissingTable(e)) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * By SQL state: PostgreSQL, the standard that MySQL, MariaDB and H2 follow, and SQLite, which has one number for
     * all errors of a statement.
     */
    private static boolean isMissingTable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P01")
                || state.startsWith("42S0")
                || String.valueOf(e.getMessage()).contains("no such table");
    }

    /**
     * Whether somebody else has made it meanwhile: PostgreSQL, of a table and of the type that each table has, the
     * standard, and PostgreSQL when two do so at the very same time.
     */
    static boolean isCollision(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P07")
                || state.equals("42710")
                || state.startsWith("42S0")
                || state.startsWith("23")
                || state.startsWith("40");
    }

    private static String resource(String dialect) {
        String file = "schema-" + (dialect.equals("mariadb") ? "mysql" : dialect) + ".sql";
        try (InputStream stream = Schema.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("The script is not on the class path: " + file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String filled(String sql, String prefix) {
        return sql.replace("{p}", prefix).replace("{version}", Integer.toString(Dialect.SCHEMA_VERSION));
    }
}
