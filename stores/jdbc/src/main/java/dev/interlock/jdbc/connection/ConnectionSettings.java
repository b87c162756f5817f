package dev.interlock.jdbc.connection;

import dev.interlock.spi.Log;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Changes the settings of one connection, and restores them, so that a pool gets the connection back as it was. Not
 * thread-safe.
 */
public final class ConnectionSettings {

    private final Deque<Restore> restores = new ArrayDeque<>();

    /** Registers how to restore what is set next. */
    public void onRestore(Restore restore) {
        restores.push(restore);
    }

    /** Limits how long a statement waits for an answer from the network. Takes no round trip. */
    public void setNetworkTimeout(Connection connection, int millis) throws SQLException {
        int found = connection.getNetworkTimeout();
        onRestore(() -> connection.setNetworkTimeout(Runnable::run, found));
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /**
     * Switches auto-commit on. Call this before any setting that a rollback would take back: settings are restored in
     * reverse order.
     */
    public void enableAutoCommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            onRestore(() -> connection.setAutoCommit(false));
            connection.setAutoCommit(true);
        }
    }

    /** Lets the connection write. A driver with several servers goes to the one that can be written to. */
    public void enableWrites(Connection connection) throws SQLException {
        if (connection.isReadOnly()) {
            onRestore(() -> connection.setReadOnly(true));
            connection.setReadOnly(false);
        }
    }

    /**
     * Sets a value that the database keeps for a connection.
     *
     * @param query reads the value
     * @param command sets the value, which is appended to it
     */
    public void set(Connection connection, String query, String command, String value) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            String found = row.getString(1);
            onRestore(() -> execute(connection, command + found));
        }
        execute(connection, command + value);
    }

    /** Executes a command. */
    public static void execute(Connection connection, String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    /**
     * Restores all settings, the last one first. A failure neither keeps the others from being restored nor replaces an
     * error that led here.
     */
    public void restore() {
        while (!restores.isEmpty()) {
            try {
                restores.pop().run();
            } catch (Throwable e) {
                Log.of(ConnectionSettings.class)
                        .log(System.Logger.Level.DEBUG, "Giving a connection back as it was failed", e);
            }
        }
    }

    /** Restores one setting. */
    public interface Restore {
        void run() throws SQLException;
    }
}
