package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.NotificationListener;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Consumer;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends ServerDialect {

    /** The settings that {@link #set} changes. */
    private static final String FOUND =
            "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), "
                    + "current_setting('server_encoding')";

    /** The encodings of databases that store any text. SQL_ASCII has no encoding: it stores bytes as they are. */
    private static final Set<String> ANY_TEXT = Set.of("UTF8", "SQL_ASCII");

    private static final String RESTORE =
            "SELECT set_config('lock_timeout', ?, false), set_config('idle_in_transaction_session_timeout', ?, false)";

    private boolean keepsAnyText = true;

    PostgresDialect() {
        super("postgresql", Set.of());
    }

    /**
     * Limits the wait for a row lock, whose holder may be a stopped process; and ends the transaction of a process that
     * is stopped itself.
     */
    @Override
    void set(Connection connection, ConnectionSettings settings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // One round trip, since a first operation may have little time.
            statement.execute(FOUND + "; SET lock_timeout = " + WaitLimits.LOCK_WAIT.toMillis()
                    + "; SET idle_in_transaction_session_timeout = " + WaitLimits.NETWORK_MS);
            ResultSet row = statement.getResultSet();
            row.next();
            String lockTimeout = row.getString(1);
            String idleTimeout = row.getString(2);
            keepsAnyText = ANY_TEXT.contains(row.getString(3));
            settings.onRestore(() -> restore(connection, lockTimeout, idleTimeout));
        }
    }

    private static void restore(Connection connection, String lockTimeout, String idleTimeout) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RESTORE)) {
            statement.setString(1, lockTimeout);
            statement.setString(2, idleTimeout);
            statement.execute();
        }
    }

    /**
     * Another encoding may lack a character, and then the statement would fail each time. The text is only for people
     * to read, which is no reason to refuse a lock.
     */
    @Override
    public String storable(String text) {
        return keepsAnyText ? text : text.replaceAll("[^\\x00-\\x7F]", "?");
    }

    @Override
    public String sql(SqlStatement statement) {
        return PostgresSql.of(statement);
    }

    @Override
    public boolean canAcquireAtOnce() {
        return true;
    }

    @Override
    public boolean canAcquireExisting() {
        return true;
    }

    @Override
    public boolean acceptsMultipleStatements() {
        return true;
    }

    @Override
    public boolean notifiesOnCommit() {
        return true;
    }

    @Override
    public WakeListener listener(ConnectionSource connections, String prefix, Consumer<Wake> receiver) {
        return new NotificationListener(connections, prefix, receiver);
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new PostgresDiagnosis(new Values(connection), prefix, found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    }
}
