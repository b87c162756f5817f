package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.Resources;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session open across verbs, and opens another when the last one is of no more use. For whoever has the turn of
 * the {@link Worker}.
 */
public final class SessionHolder {

    private static final System.Logger LOG = System.getLogger(SessionHolder.class.getName());

    private final ConnectionSource connections;
    private final String prefix;
    private final WakeSubscription wakes;
    private final RowLockWaits rowWaits = new RowLockWaits();
    private @Nullable Session session;

    /** Of this session: each looks at the tables from their beginning. */
    private Sweeper sweeper = new Sweeper();

    /** Whether old rows should be looked for. */
    private boolean untidy;

    public SessionHolder(ConnectionSource connections, String prefix, WakeSubscription wakes) {
        this.wakes = wakes;
        this.connections = connections;
        this.prefix = prefix;
    }

    /**
     * Runs the verb; null if it is not wanted any more. After an error that leaves the connection in doubt, the next
     * verb opens a new one.
     */
    <T> @Nullable T run(Operation<T> verb, BooleanSupplier isWanted) throws SQLException {
        Session open = session();
        // Asked only now: a pool with nothing left keeps the thread above for half a minute, and whoever asked has
        // given up by then.
        if (!isWanted.getAsBoolean()) {
            return null;
        }
        try {
            return ran(open, verb);
        } catch (SQLException e) {
            if (!open.isAsGoodAfter(e)) {
                close();
            }
            throw open.explained(e);
        }
    }

    /** As {@link #run}, without any patience for others who write; null if it takes some, and nothing was done. */
    <T> @Nullable T runUnlessBusy(Operation<T> verb) throws SQLException {
        Session open = session();
        try {
            return open.withoutWaiting(() -> ran(open, verb));
        } catch (SQLException e) {
            if (open.isAsGoodAfter(e)) {
                return null;
            }
            close();
            throw open.explained(e);
        }
    }

    private <T> T ran(Session open, Operation<T> verb) throws SQLException {
        try {
            T result = verb.run(open);
            untidy |= sweeper.isDueAfterVerb();
            return result;
        } catch (FenceExhaustedException e) {
            if (open.isInDoubt()) {
                close();
            }
            throw e;
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Whether a verb finds a connection, and one that any thread may use: an own one, not of a pool that has its own
     * mind about threads.
     */
    boolean mayBeLent() {
        Session open = session;
        return open != null && connections.areOwn() && open.dialect().limitsWaits() && !open.isStale();
    }

    /** Whether {@link #tidy} has something to do. */
    boolean isUntidy() {
        return untidy;
    }

    /**
     * Removes old rows, now and then: after the answer, which does not wait for it, and whose outcome it does not
     * change.
     */
    void tidy() {
        Session open = session;
        if (open == null || !untidy) {
            return;
        }
        untidy = false;
        try {
            sweeper.step(open);
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
        sweeper = new Sweeper();
        return open;
    }

    private Session open() throws SQLException {
        Connection connection = connections.open();
        try {
            return Session.open(connection, prefix, wakes, rowWaits);
        } catch (Throwable e) {
            // Errors too, such as that of a driver which lacks a method: a pool would wait for the connection for ever.
            Resources.closeQuietly(connection);
            throw e;
        }
    }
}
