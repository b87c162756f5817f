package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.wake.NotificationListener;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Consumer;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends ServerDialect {

    /** What {@link #set} changes. */
    private static final String FOUND =
            "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('server_encoding')";

    /** The encodings of databases that keep any text. SQL_ASCII is none: it keeps the bytes that come. */
    private static final Set<String> ANY_TEXT = Set.of("UTF8", "SQL_ASCII");

    private static final String RESTORE =
            "SELECT set_config('lock_timeout', ?, false), set_config('idle_in_transaction_session_timeout', ?, false)";

    private boolean keepsAnyText = true;

    PostgresDialect() {
        super("postgresql", Set.of());
    }

    /**
     * A lock of a row is waited for, but not for ever: its holder may be a process that was stopped. So a stopped one
     * loses its transaction, too.
     */
    @Override
    void set(Connection connection, ConnectionSettings restoration) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // One round trip: a first verb may have little time.
            statement.execute(FOUND + "; SET lock_timeout = " + WaitLimits.LOCK_WAIT.toMillis()
                    + "; SET idle_in_transaction_session_timeout = " + WaitLimits.NETWORK_MS);
            ResultSet row = statement.getResultSet();
            row.next();
            String lockTimeout = row.getString(1);
            String idleTimeout = row.getString(2);
            keepsAnyText = ANY_TEXT.contains(row.getString(3));
            restoration.add(() -> restore(connection, lockTimeout, idleTimeout));
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
     * In another encoding the text might have no form, and the statement would fail, each time: it is for people to
     * read, and no reason to refuse a lock.
     */
    @Override
    public String word(String text) {
        return keepsAnyText ? text : text.replaceAll("[^\\x00-\\x7F]", "?");
    }

    @Override
    public String sql(SqlStatement step) {
        return PostgresSql.of(step);
    }

    @Override
    public boolean takesAtOnce() {
        return true;
    }

    @Override
    public boolean takesWhatIsThere() {
        return true;
    }

    @Override
    public boolean takesSeveral() {
        return true;
    }

    @Override
    public boolean wakes() {
        return true;
    }

    @Override
    public WakeListener listener(ConnectionSource connections, String prefix, Consumer<Wake> hearer) {
        return new NotificationListener(connections, prefix, hearer);
    }
}
