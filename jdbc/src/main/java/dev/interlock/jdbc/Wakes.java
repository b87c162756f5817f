package dev.interlock.jdbc;

import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a store hears of wakes, in a database that can send them: a second connection, on which a thread listens as long as the first is open. It is
 * opened when a claim has to wait for the first time. Without it claims poll: before it is there, when the pool has no second connection, when it broke.
 *
 * <p>{@link #hear} is called by whoever sets up the store; all else by the worker's thread.
 */
final class Wakes {

    private final ConnectionSource connections;
    private volatile @Nullable Consumer<Wake> hearer;
    private @Nullable Listener listener;
    private long notBeforeNanos = System.nanoTime();

    Wakes(ConnectionSource connections) {
        this.connections = connections;
    }

    void hear(Consumer<Wake> newHearer) {
        hearer = newHearer;
    }

    /** Where this client listens; empty if it does not. */
    String channel() {
        Listener current = listener;
        return current != null && current.isListening() ? current.channel() : "";
    }

    /** Begins to listen, if that has not been in vain of late, and waits for it for a moment. */
    void begin() {
        Consumer<Wake> told = hearer;
        Listener current = listener;
        if (told == null || (current != null && current.isAlive()) || System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        // The first may be waited for; after one that ended by itself, or found no connection, claims poll meanwhile.
        Duration patience = current == null ? Listener.BEGINNING : Duration.ZERO;
        current = new Listener(connections, told);
        listener = current;
        notBeforeNanos = System.nanoTime() + Listener.PAUSE.toNanos();
        current.begin(patience);
    }

    /** Gives the connection back, and stops waiting for one: the only one of a pool is needed elsewhere. */
    void end() {
        Listener current = listener;
        listener = null;
        notBeforeNanos = System.nanoTime();
        if (current != null) {
            current.end();
        }
    }
}
