package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How a connection was before it was changed, so that a pool gets it back as it came. For whoever has the connection.
 */
public final class ConnectionSettings {

    private static final System.Logger LOG = System.getLogger(ConnectionSettings.class.getName());

    private final Deque<Undo> undos = new ArrayDeque<>();

    /** Notes how to undo what is set next. */
    public void add(Undo undo) {
        undos.push(undo);
    }

    /** Sets how long an answer of the network is waited for, without a round trip. */
    public void networkTimeout(Connection connection, int millis) throws SQLException {
        int found = connection.getNetworkTimeout();
        add(() -> connection.setNetworkTimeout(Runnable::run, found));
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /**
     * Begins to commit each statement: to be set before what a transaction would take back, and so to be undone after
     * it.
     */
    public void autoCommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            add(() -> connection.setAutoCommit(false));
            connection.setAutoCommit(true);
        }
    }

    /**
     * Sets a number that the database keeps for a connection.
     *
     * @param query what reads it
     * @param command what sets it, up to the number
     */
    public void number(Connection connection, String query, String command, long value) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            long found = row.getLong(1);
            add(() -> write(connection, command, found));
        }
        write(connection, command, value);
    }

    private static void write(Connection connection, String command, long value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command + value);
        }
    }

    /**
     * Undoes all, what was set last first. What fails keeps nothing else from being undone, and hides no error that led
     * here.
     */
    public void run() {
        while (!undos.isEmpty()) {
            try {
                undos.pop().run();
            } catch (Throwable e) {
                LOG.log(System.Logger.Level.DEBUG, "Giving a connection back as it was failed", e);
            }
        }
    }

    /** Writes back one value that was found. */
    public interface Undo {
        void run() throws SQLException;
    }
}
