package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What one database does differently from another. The verbs know {@link Step}s and their order; a dialect knows the SQL of each step, how a transaction
 * begins, how the tables are made, and what an error means. One instance serves one connection.
 */
interface Dialect {

    /** The schema that this version reads and writes. */
    int SCHEMA_VERSION = 1;

    /**
     * Gets a new connection ready for use: its settings, and the tables if they are not there. Several processes may do so at the same time. From then on its
     * statements fail at once while others write; see {@link Contention}.
     *
     * @param prefix how the names of the tables begin; checked
     * @return for how long a statement may be tried while others write
     */
    Duration prepare(Connection connection, String prefix) throws SQLException;

    /** The SQL of a step, with named parameters ({@code :name}) and {@code {p}} for the prefix of the tables. */
    String sql(Step step);

    /** Begins a transaction that nobody else's write can interfere with until {@link #commit} or {@link #rollback}. */
    void begin(Session session) throws SQLException;

    /** Makes it so. */
    void commit(Session session) throws SQLException;

    /** Takes it back. */
    void rollback(Session session) throws SQLException;

    /** Whether the error only says that others were faster: nothing was done, and the connection is as good as before. */
    boolean isContention(SQLException e);

    /** An identity of what the connection is connected to, by which a later look can tell that it is not there any more. */
    Identity identity(Connection connection) throws SQLException;

    /** The exception to be shown for this one: with the cause, and where known with what to do about it. */
    RuntimeException explained(SQLException e, Identity identity);

    /** What a connection is connected to. */
    interface Identity {

        /** Whether the place where it was found now holds something else, or nothing. Asked before every verb. */
        boolean isGone();

        /** How people find it. */
        @Override
        String toString();
    }
}
