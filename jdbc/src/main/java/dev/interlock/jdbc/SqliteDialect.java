package dev.interlock.jdbc;

import dev.interlock.StoreUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * SQLite in a file, with a write-ahead log: readers and the writer do not hinder each other, and what is committed survives the death of any process,
 * since it lies in the page cache of the machine. Not so a loss of power: with {@code synchronous=NORMAL} the last commits may be gone then, but so are
 * the processes that held the locks.
 */
final class SqliteDialect implements Dialect {

    /** The longest wait for another's write: half of the time that the engine gives a request, so that it hears of a failure rather than of nothing. */
    static final int BUSY_TIMEOUT_MS = 1_000;

    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NO_SUCH_TABLE = 1;

    @Override
    public Identity identity(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            return SqliteIdentity.of(row.next() ? row.getString("file") : null);
        }
    }

    @Override
    public Duration prepare(Connection connection, String prefix) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MS);
            writeAhead(statement);
            statement.execute("PRAGMA synchronous = NORMAL");
            if (version(statement, prefix) < SCHEMA_VERSION) {
                createTables(statement, prefix);
            }
            statement.execute("PRAGMA busy_timeout = 0");
            return Duration.ofMillis(BUSY_TIMEOUT_MS);
        }
    }

    @Override
    public String sql(Step step) {
        return SqliteSql.of(step);
    }

    @Override
    public void begin(Session session) throws SQLException {
        // The write lock at once: a transaction that reads first could not be sure to get it later.
        session.command("BEGIN IMMEDIATE");
    }

    @Override
    public void commit(Session session) throws SQLException {
        session.command("COMMIT");
    }

    @Override
    public void rollback(Session session) throws SQLException {
        session.command("ROLLBACK");
    }

    @Override
    public boolean isContention(SQLException e) {
        return e.getErrorCode() == BUSY || e.getErrorCode() == LOCKED;
    }

    @Override
    public RuntimeException explained(SQLException e, Identity identity) {
        return SqliteErrors.explained(e, identity.toString());
    }

    private static void writeAhead(Statement statement) throws SQLException {
        try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
            if (!mode.next() || !mode.getString(1).equalsIgnoreCase("wal")) {
                throw new StoreUnavailableException(
                        "This SQLite database cannot keep a write-ahead log (journal_mode=WAL), which a lock store needs",
                        null);
            }
        }
    }

    private static int version(Statement statement, String prefix) throws SQLException {
        int version;
        try {
            version = integer(statement, filled(SqliteSql.SELECT_VERSION, prefix));
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SUCH_TABLE) {
                return 0;
            }
            throw e;
        }
        if (version > SCHEMA_VERSION) {
            throw new StoreUnavailableException(
                    "The tables " + prefix + "_* were made by a later version of Interlock: schema=" + version
                            + ", known=" + SCHEMA_VERSION + "; use that version, or another table prefix",
                    null);
        }
        return version;
    }

    private static void createTables(Statement statement, String prefix) throws SQLException {
        statement.execute("BEGIN IMMEDIATE");
        try {
            for (String sql : List.of(
                    SqliteSql.CREATE_FENCE,
                    SqliteSql.CREATE_LOCK,
                    SqliteSql.CREATE_WAITER,
                    SqliteSql.CREATE_FORCED,
                    SqliteSql.CREATE_FENCE_TRIGGER,
                    SqliteSql.CREATE_INSERT_TRIGGER,
                    SqliteSql.CREATE_UPDATE_TRIGGER,
                    SqliteSql.INSERT_FENCE)) {
                statement.execute(filled(sql, prefix));
            }
            statement.execute("COMMIT");
        } catch (SQLException e) {
            statement.execute("ROLLBACK");
            throw e;
        }
    }

    private static String filled(String sql, String prefix) {
        return sql.replace("{p}", prefix).replace("{version}", Integer.toString(SCHEMA_VERSION));
    }

    /** The one number that the statement returns; 0 if it returns none. */
    private static int integer(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getInt(1) : 0;
        }
    }
}
