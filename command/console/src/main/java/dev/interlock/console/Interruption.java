package dev.interlock.console;

import org.jspecify.annotations.Nullable;

/**
 * A thread that writes to a client, and that others may interrupt while it does, which closes the connection: nothing
 * else ends a write to a client that does not read.
 *
 * <p>The monitor guards the thread, so that no interrupt comes after it has moved on to something else. Thread-safe.
 */
final class Interruption implements AutoCloseable {

    private @Nullable Thread thread = Thread.currentThread();

    /** Interrupts the thread if it is still there. */
    synchronized void now() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** The thread moves on, and forgets an interrupt. */
    @Override
    public synchronized void close() {
        thread = null;
        Thread.interrupted();
    }
}
