package dev.interlock.jdbc.dialect;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.ConnectionTarget;
import dev.interlock.jdbc.connection.SqliteErrors;
import dev.interlock.jdbc.connection.SqliteIdentity;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.SocketListener;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.jdbc.wake.WakeMessage;
import dev.interlock.jdbc.wake.WakeSockets;
import dev.interlock.spi.Wake;
import dev.interlock.support.Examination;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SQLite in a file, with a write-ahead log: readers and the writer do not block each other. A committed change survives
 * the death of any process, because it is in the page cache of the machine. It may not survive a loss of power: with
 * {@code synchronous=NORMAL} the last commits may be lost then, but so are the processes that held the locks.
 */
final class SqliteDialect implements Dialect {

    /** A value of {@code synchronous}. */
    private static final String NORMAL = "1";

    private static final int BUSY = 5;
    private static final int LOCKED = 6;

    private final ConnectionSettings settings = new ConnectionSettings();

    /** The sockets beside the file that the connection has open; null until the file is known. */
    private @Nullable WakeSockets sockets;

    @Override
    public ConnectionTarget target(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            String file = row.next() ? row.getString("file") : null;
            ConnectionTarget target =
                    SqliteIdentity.of(file, connection.getMetaData().getURL());
            sockets = file == null ? null : new WakeSockets(Path.of(file));
            return target;
        }
    }

    @Override
    public Duration prepare(Connection connection, String prefix) throws SQLException {
        settings.enableAutoCommit(connection);
        try (Statement statement = connection.createStatement()) {
            set(connection, "busy_timeout", Long.toString(WaitLimits.LOCK_WAIT.toMillis()));
            set(connection, "query_only", "0");
            // It would keep all others out.
            set(connection, "locking_mode", "normal");
            // With it a statement that writes returns rows.
            set(connection, "count_changes", "0");
            writeAhead(statement);
            set(connection, "synchronous", NORMAL);
            createTables(connection, statement, prefix);
            statement.execute("PRAGMA busy_timeout = 0");
            return WaitLimits.LOCK_WAIT;
        }
    }

    /** Makes a setting of this connection alone. */
    private void set(Connection connection, String pragma, String value) throws SQLException {
        settings.set(connection, "PRAGMA " + pragma, "PRAGMA " + pragma + " = ", value);
    }

    /** Except for the journal mode, which belongs to the file. */
    @Override
    public void restore() {
        settings.restore();
    }

    @Override
    public String sql(SqlStatement statement) {
        return SqliteSql.of(statement);
    }

    /** Takes the write lock at once: a transaction that reads first may fail to get it later. */
    @Override
    public String beginCommand() {
        return "BEGIN IMMEDIATE";
    }

    /** A transaction locks the whole file. */
    @Override
    public boolean locksRows() {
        return false;
    }

    @Override
    public boolean canAcquireAtOnce() {
        return true;
    }

    @Override
    public boolean canAcquireExisting() {
        return false;
    }

    @Override
    public boolean acceptsMultipleStatements() {
        return false;
    }

    @Override
    public boolean deletesFreeNames() {
        return true;
    }

    /** Nothing limits how long a file system takes. */
    @Override
    public boolean limitsStatementTime() {
        return false;
    }

    @Override
    public boolean notifiesOnCommit() {
        return false;
    }

    @Override
    public @Nullable WakeListener listener(
            ConnectionSource connections, String prefix, Consumer<Wake> receiver, BooleanSupplier isNeeded) {
        return sockets == null ? null : new SocketListener(sockets, receiver);
    }

    @Override
    public boolean sendWakes(String channel, String wakes) {
        if (sockets != null && channel.equals(WakeMessage.EVERYBODY)) {
            sockets.sendToAll(wakes);
            return true;
        }
        return sockets == null || sockets.send(channel, wakes);
    }

    @Override
    public Object encodedName(String name) {
        return name;
    }

    @Override
    public String decodedName(ResultSet row, int column) throws SQLException {
        return row.getString(column);
    }

    @Override
    public boolean isContention(SQLException e) {
        return e.getErrorCode() == BUSY || e.getErrorCode() == LOCKED || SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    @Override
    public RuntimeException explained(SQLException e, ConnectionTarget target, String prefix) {
        return SqliteErrors.explained(e, target.toString());
    }

    private static void writeAhead(Statement statement) throws SQLException {
        try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
            if (!mode.next() || !mode.getString(1).equalsIgnoreCase("wal")) {
                throw new StoreUnavailableException(
                        "This SQLite database cannot keep a write-ahead log (journal_mode=WAL), which a lock "
                                + "store needs",
                        null);
            }
        }
    }

    /** In one transaction, since others may do so at the same time. */
    private void createTables(Connection connection, Statement statement, String prefix) throws SQLException {
        if (SchemaScript.isInstalled(connection, prefix)) {
            return;
        }
        statement.execute("BEGIN IMMEDIATE");
        try {
            new SchemaScript("sqlite").run(connection, prefix);
            statement.execute("COMMIT");
        } catch (Throwable e) {
            // Errors too: the connection goes back to a pool.
            rollback(statement, e);
            throw e;
        }
    }

    private static void rollback(Statement statement, Throwable cause) {
        try {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new SqliteDiagnosis(new Values(connection), found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
    }
}
