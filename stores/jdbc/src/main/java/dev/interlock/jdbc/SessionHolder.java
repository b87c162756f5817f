package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.Resources;
import dev.interlock.jdbc.connection.ServerErrors;
import dev.interlock.spi.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session open across operations, and opens another one when the last one is of no more use. For the thread
 * that has the session lock of the {@link Worker}.
 */
final class SessionHolder {

    /** How long a connection of a pool is kept at a stretch, however busy the store is. */
    private static final long STRETCH_NANOS = Duration.ofSeconds(1).toNanos();

    private final ConnectionSource connections;
    private final String prefix;
    private final WakeSubscription wakes;
    private final RowLockWaits rowLockWaits = new RowLockWaits();
    /** Written under the session lock; {@link #isOpen} reads it without. */
    private volatile @Nullable Session session;

    /** The sweeper of this session: each begins at the start of the tables. */
    private Sweeper sweeper = new Sweeper();

    /** When the session was opened. */
    private long openedNanos;

    /** Whether old rows should be removed. */
    private boolean sweepDue;

    /** Whether it was said that old rows are not removed because a right is missing: once is enough. */
    private boolean denialIsKnown;

    SessionHolder(ConnectionSource connections, String prefix, WakeSubscription wakes) {
        this.wakes = wakes;
        this.connections = connections;
        this.prefix = prefix;
    }

    /**
     * Runs the operation; returns null if nobody wants it any more. After an error that makes the connection unusable,
     * the next operation opens a new one.
     */
    <T> @Nullable T run(Operation<T> operation, BooleanSupplier isWanted) throws SQLException {
        Session open = session();
        // Asked only now: an exhausted pool blocks the line above for half a minute, and the caller has given up by
        // then.
        if (!isWanted.getAsBoolean()) {
            return null;
        }
        try {
            return runOn(open, operation);
        } catch (SQLException e) {
            if (!open.isUsableAfter(e)) {
                closeAfter(e);
            }
            throw open.explained(e);
        }
    }

    /** As {@link #run}, but without retries; returns null if others are in the way, and nothing was done. */
    <T> @Nullable T runUnlessBusy(Operation<T> operation) throws SQLException {
        Session open = session();
        try {
            return open.withoutWaiting(() -> runOn(open, operation));
        } catch (SQLException e) {
            if (open.isUsableAfter(e)) {
                return null;
            }
            closeAfter(e);
            throw open.explained(e);
        }
    }

    /**
     * Runs operations that share a transaction, if there is a session on which they may; else does nothing.
     *
     * @param operations runs them, and returns what has failed, or null
     * @param committed how many of them were committed, or may be
     */
    void share(Function<Session, @Nullable Throwable> operations, IntSupplier committed) {
        Session open = session;
        if (open == null || !open.canShare() || open.isStale()) {
            return;
        }
        Throwable failure = operations.apply(open);
        if (failure != null && endsSession(open, failure)) {
            closeAfter(failure);
        }
        for (int i = 0; i < committed.getAsInt(); i++) {
            sweepDue |= sweeper.isDueAfterOperation();
        }
    }

    private <T> T runOn(Session open, Operation<T> operation) throws SQLException {
        try {
            T result = operation.run(open);
            sweepDue |= sweeper.isDueAfterOperation();
            return result;
        } catch (RuntimeException | Error e) {
            if (endsSession(open, e)) {
                closeAfter(e);
            }
            throw e;
        }
    }

    private static boolean endsSession(Session open, Throwable failure) {
        return failure instanceof SQLException e
                ? !open.isUsableAfter(e)
                : !(failure instanceof FenceExhaustedException || failure instanceof UnreadableNameException)
                        || open.isInDoubt();
    }

    /** Whether there is a session, so that an operation need not connect. Any thread may ask. */
    boolean isOpen() {
        return session != null;
    }

    /**
     * Whether there is a session that any thread may use: on a connection of the store, not of a pool, which may bind
     * connections to threads.
     */
    boolean canBeLent() {
        Session open = session;
        return open != null && connections.areDedicated() && open.dialect().limitsStatementTime() && !open.isStale();
    }

    /** Whether {@link #sweep} has something to do. */
    boolean isSweepDue() {
        return sweepDue;
    }

    /**
     * Removes old rows, now and then: after the answer of an operation, which neither waits for this nor depends on it.
     */
    void sweep() {
        Session open = session;
        if (open == null || !sweepDue) {
            return;
        }
        sweepDue = false;
        try {
            sweeper.step(open);
        } catch (SQLException e) {
            sweepFailed(open, e);
        } catch (Throwable e) {
            Log.of(SessionHolder.class)
                    .log(System.Logger.Level.DEBUG, "Removing old rows failed, and the driver with it", e);
            close();
        }
    }

    /**
     * The rows can wait for the next sweep, and the next operation reports a broken connection; not a missing right.
     */
    private void sweepFailed(Session open, SQLException e) {
        if (ServerErrors.isDenied(e) && !denialIsKnown) {
            denialIsKnown = true;
            Log.of(SessionHolder.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "The rows of names and claims that are over are not removed: "
                                    + open.explained(e).getMessage());
        } else {
            Log.of(SessionHolder.class).log(System.Logger.Level.DEBUG, "Removing old rows failed", e);
        }
    }

    /**
     * Closes the listener for wakes along with the session: a new session must be able to get its connection from a
     * pool of one.
     */
    void close() {
        wakes.stop();
        giveBack();
        sweeper = new Sweeper();
    }

    /**
     * Closes what was idle. Where others need the connection that is soon, and claims may still wait: a listener for
     * wakes that keeps a connection ends by itself when none does.
     */
    void rest() {
        if (connections.isPool()) {
            giveBack();
        } else {
            close();
        }
    }

    /** Lets others have the connection of a busy store, if they wait for one. */
    void shareConnection() {
        if (connections.isPool() && System.nanoTime() - openedNanos > STRETCH_NANOS) {
            giveBack();
        }
    }

    private void giveBack() {
        Session open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    /** Closes a session that is of no more use, and keeps others from its connection if that is why. */
    private void closeAfter(Throwable failure) {
        Session open = session;
        if (open != null && (open.isInDoubt() || isOfConnection(failure))) {
            connections.discard(open.connection());
        }
        close();
    }

    private static boolean isOfConnection(@Nullable Throwable failure) {
        return failure instanceof SQLException e && !ServerErrors.isOfStatement(e);
    }

    /** As {@link WakeSubscription#awaitStopped}. */
    void awaitListeners(Duration limit) {
        wakes.awaitStopped(limit);
    }

    private Session session() throws SQLException {
        Session open = session;
        if (open != null && !open.isStale()) {
            return open;
        }
        if (open != null) {
            close();
        }
        open = open();
        session = open;
        openedNanos = System.nanoTime();
        return open;
    }

    private Session open() throws SQLException {
        Connection connection = wakes.yielding(connections);
        try {
            return Session.open(connection, prefix, wakes, rowLockWaits);
        } catch (Throwable e) {
            // Errors too, such as that of a driver without a method: a pool would miss the connection for ever.
            if (isOfConnection(e.getCause())) {
                connections.discard(connection);
            }
            Resources.closeQuietly(connection);
            throw e;
        }
    }
}
