package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends ServerDialect {

    PostgresDialect() {
        super("postgresql", Set.of());
    }

    /** A lock of a row is waited for, but not for ever: its holder may be a process that was stopped. So a stopped one loses its transaction, too. */
    @Override
    void set(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // One round trip: a first verb may have little time.
            statement.execute("SET lock_timeout = " + PATIENCE.toMillis()
                    + "; SET idle_in_transaction_session_timeout = " + NETWORK_TIMEOUT_MS);
        }
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("RESET lock_timeout; RESET idle_in_transaction_session_timeout");
        }
        super.restore(connection);
    }

    @Override
    public String sql(Step step) {
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
}
