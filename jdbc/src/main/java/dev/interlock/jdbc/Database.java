package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Keeps a session open across verbs, and opens another when the last one is of no more use. Confined to the worker's thread. */
final class Database {

    private static final System.Logger LOG = System.getLogger(Database.class.getName());

    private final ConnectionSource connections;
    private final String prefix;
    private final Wakes wakes;
    private @Nullable Session session;

    Database(ConnectionSource connections, String prefix, Wakes wakes) {
        this.wakes = wakes;
        this.connections = connections;
        this.prefix = prefix;
    }

    /** Runs the verb. After an error that leaves the connection in doubt, the next verb opens a new one. */
    <T> T run(Verb<T> verb) throws SQLException {
        Session open = session();
        try {
            return verb.run(open);
        } catch (SQLException e) {
            if (!open.isAsGoodAfter(e)) {
                close();
            }
            throw open.explained(e);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Removes old rows, now and then: after the answer, which does not wait for it, and whose outcome it does not change. */
    void tidy() {
        Session open = session;
        if (open == null) {
            return;
        }
        try {
            open.sweepSometimes();
        } catch (SQLException e) {
            // The rows can wait for the next sweep, and a broken connection shows at the next verb.
            LOG.log(System.Logger.Level.DEBUG, "Removing old rows failed", e);
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.DEBUG, "Removing old rows failed, and the driver with it", e);
            close();
        }
    }

    /** The second connection goes with the first: the first, when it comes back, must not have to wait for it. */
    void close() {
        wakes.end();
        Session open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    private Session session() throws SQLException {
        Session open = session;
        if (open != null && !open.isStale()) {
            return open;
        }
        close();
        open = open();
        session = open;
        return open;
    }

    private Session open() throws SQLException {
        Connection connection = connections.open();
        try {
            return Session.open(connection, prefix, wakes);
        } catch (Throwable e) {
            // Errors too, such as that of a driver which lacks a method: a pool would wait for the connection for ever.
            Session.closeQuietly(connection);
            throw e;
        }
    }
}
