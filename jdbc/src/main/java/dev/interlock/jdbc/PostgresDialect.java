package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** PostgreSQL 12 and later. */
final class PostgresDialect extends ServerDialect {

    PostgresDialect() {
        super("postgresql");
    }

    /** A lock of a row is waited for, but not for ever: its holder may be a process that was stopped. So a stopped one loses its transaction, too. */
    @Override
    public Duration prepare(Connection connection, String prefix) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = " + PATIENCE.toMillis());
            statement.execute("SET idle_in_transaction_session_timeout = " + NETWORK_TIMEOUT_MS);
        }
        return super.prepare(connection, prefix);
    }

    @Override
    public void restore(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("RESET lock_timeout");
            statement.execute("RESET idle_in_transaction_session_timeout");
        }
        super.restore(connection);
    }

    @Override
    public String sql(Step step) {
        return PostgresSql.of(step);
    }

    /** The driver sends it along with the first statement. */
    @Override
    public void begin(Session session) throws SQLException {
        session.connection().setAutoCommit(false);
    }

    @Override
    public void commit(Session session) throws SQLException {
        session.connection().commit();
        session.connection().setAutoCommit(true);
    }

    @Override
    public void rollback(Session session) throws SQLException {
        session.connection().rollback();
        session.connection().setAutoCommit(true);
    }

    @Override
    public boolean takesAtOnce() {
        return true;
    }

    @Override
    public boolean wakes() {
        return true;
    }
}
