package dev.interlock.jdbc.dialect;

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

/** The script that creates the tables of one database, and the state of the tables that exist. */
public final class SchemaScript {

    /** The version of the tables that this code reads and writes. */
    static final int VERSION = 2;

    private static final String SELECT_VERSION = "SELECT version FROM {p}_fence";

    private final String text;

    /**
     * The script of a dialect.
     *
     * @param dialect the name of a database; MariaDB has the script of MySQL
     */
    public SchemaScript(String dialect) {
        this.text = resource("schema-" + (dialect.equals("mariadb") ? "mysql" : dialect) + ".sql");
    }

    /** The whole script, for tables whose names begin with this prefix. */
    public String text(String prefix) {
        return filled(text, prefix);
    }

    /**
     * The statements of the script, which a semicolon and an empty line separate; {@code {p}} stands for the prefix.
     */
    public List<String> statements() {
        String script = text.strip();
        return List.of(script.substring(0, script.length() - 1).split(";\n\n"));
    }

    /** Creates the tables that are missing. If a client dies halfway, the next one creates the rest. */
    void run(Connection connection, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements()) {
                statement.execute(filled(sql, prefix));
            }
        }
    }

    /**
     * Whether the tables exist.
     *
     * @throws StoreUnavailableException if their version is another one
     */
    static boolean isInstalled(Connection connection, String prefix) throws SQLException {
        int version = version(connection, prefix);
        if (version != 0 && version != VERSION) {
            throw new StoreUnavailableException(
                    "The tables " + prefix + "_* were made by " + (version > VERSION ? "a later" : "an earlier")
                            + " version of Interlock: schema=" + version + ", known=" + VERSION
                            + "; use that version, or another table prefix, or drop the tables while nobody "
                            + "holds a lock",
                    null);
        }
        return version != 0;
    }

    /** The version of the tables; 0 if one is missing: the row with the version is inserted last. */
    private static int version(Connection connection, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet row = statement.executeQuery(filled(SELECT_VERSION, prefix));
            return row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            if (isMissingTable(e)) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * By SQL state: that of PostgreSQL, and that of the standard, which MySQL, MariaDB and H2 follow. SQLite has one
     * code for all errors of a statement, so its message decides.
     */
    private static boolean isMissingTable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P01")
                || state.startsWith("42S0")
                || String.valueOf(e.getMessage()).contains("no such table");
    }

    /**
     * Whether another client has created the same thing meanwhile. PostgreSQL reports a table, or the type that each
     * table has, as a duplicate, and a unique key as violated if both clients do so at the same moment.
     */
    static boolean isCollision(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42P07")
                || state.equals("42710")
                || state.startsWith("42S0")
                || state.startsWith("23")
                || state.startsWith("40");
    }

    private static String resource(String file) {
        try (InputStream stream = SchemaScript.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("The script is not on the class path: " + file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String filled(String sql, String prefix) {
        return sql.replace("{p}", prefix).replace("{version}", Integer.toString(VERSION));
    }
}
