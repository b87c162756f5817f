package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Log;
import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listener for wakes of a store, where its database lets clients wake each other. It starts when a claim has to
 * wait for the first time, and ends with the session. Without a listener claims poll: before it listens, when it lacks
 * a right, or when it broke.
 *
 * <p>The thread that sets up the store calls {@link #setReceiver}; only the thread that has the session lock of the
 * {@link Worker} calls the other methods, but for {@link #awaitStopped}.
 */
final class WakeSubscription {

    /** A claim that waits asks again within two seconds. */
    private static final long WAITS_NANOS = Duration.ofSeconds(6).toNanos();

    /** A pool that has a connection gives it at once. */
    private static final long SHARED_NANOS = Duration.ofMillis(200).toNanos();

    private final ConnectionSource connections;
    private final String prefix;
    private volatile @Nullable Consumer<Wake> receiver;
    private @Nullable WakeListener listener;
    private long notBeforeNanos = System.nanoTime();

    /** When a claim last had to wait. Written under the session lock; the listener reads it. */
    private volatile long waitedNanos = System.nanoTime();

    /** Since when a request waits for a connection; 0 if none does. Written and read as above. */
    private volatile long wantedNanos;

    /** Those that were stopped and may not have given their connections back yet. Any thread may read it. */
    private final Queue<WakeListener> stopped = new ConcurrentLinkedQueue<>();

    WakeSubscription(ConnectionSource connections, String prefix) {
        this.connections = connections;
        this.prefix = prefix;
    }

    void setReceiver(Consumer<Wake> newReceiver) {
        receiver = newReceiver;
    }

    /** The channel on which this client listens, or will in a moment; empty if there is none. */
    String channel() {
        WakeListener current = listener;
        return current != null && current.isExpectedToListen() ? current.channel() : "";
    }

    /** Whether every wake that is sent from now on arrives. */
    boolean isListening() {
        WakeListener current = listener;
        return current != null && current.isListening();
    }

    /**
     * Starts to listen, unless that has failed a moment ago. Does not wait: wakes that are sent before it listens are
     * looked up then.
     */
    void start(Dialect dialect) {
        waitedNanos = System.nanoTime();
        Consumer<Wake> currentReceiver = receiver;
        WakeListener current = listener;
        if (currentReceiver == null
                || (current != null && current.isAlive())
                || System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        if (current != null) {
            stop(current);
        }
        current = dialect.listener(connections, prefix, currentReceiver, this::isNeeded);
        listener = current;
        notBeforeNanos = System.nanoTime() + WakeListener.PAUSE.toNanos();
        if (current != null) {
            start(current);
        }
    }

    /**
     * Opens a connection for requests. They come before the listener, which ends if a pool has no other one: then
     * claims poll.
     */
    Connection yielding(ConnectionSource source) throws SQLException {
        wantedNanos = System.nanoTime() | 1;
        try {
            return source.open();
        } finally {
            wantedNanos = 0;
        }
    }

    /** Whether the listener may keep a connection that others need, too. Asked by the listener's thread. */
    private boolean isNeeded() {
        long now = System.nanoTime();
        long wanted = wantedNanos;
        return !connections.isPool()
                || (now - waitedNanos < WAITS_NANOS && (wanted == 0 || now - wanted < SHARED_NANOS));
    }

    /** A failure is not a failure of the claim that has to wait: the claim polls. */
    private static void start(WakeListener listener) {
        try {
            listener.start();
        } catch (Throwable e) {
            // Errors too: there may be too many threads.
            Log.of(WakeSubscription.class)
                    .log(System.Logger.Level.DEBUG, "Listening failed: claims poll until it is tried again", e);
        }
    }

    /** Gives its connection back, and stops waiting for one: the only connection of a pool is needed elsewhere. */
    void stop() {
        WakeListener current = listener;
        listener = null;
        notBeforeNanos = System.nanoTime();
        if (current != null) {
            stop(current);
        }
    }

    private void stop(WakeListener current) {
        current.stop();
        stopped.removeIf(earlier -> !earlier.isAlive());
        stopped.add(current);
    }

    /** Waits until all that were stopped have ended, or for {@code limit}. Called by any thread. */
    void awaitStopped(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        for (WakeListener each : stopped) {
            each.awaitEnd(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
    }
}
