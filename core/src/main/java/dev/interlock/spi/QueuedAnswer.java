package dev.interlock.spi;

import java.util.concurrent.CompletableFuture;

/**
 * The answer to a verb that a store keeps in a line of its own until it can be sent. To withdraw it tells whether the
 * store's server has heard of it: what was never sent leaves nothing to be taken back, and what was is better heard to
 * its end than cancelled. A store that sends at once needs none.
 *
 * <pre>
 *   queued --begin()-----> sent -------> completed: by what the server says
 *     |'----withdraw()---> cancelled
 *     '------------------> failed: there is no connection to send it on
 * </pre>
 *
 * <p>Thread-safe. Its own monitor guards the state; nothing is called and nothing completed under it.
 */
public final class QueuedAnswer<T> extends CompletableFuture<T> {

    private boolean begun;

    private boolean withdrawn;

    /** Of a verb that has just come into the line. */
    public QueuedAnswer() {}

    /**
     * For the store, before the server hears of it: whether anybody still waits. If so it cannot be taken out of the
     * line any more.
     */
    public synchronized boolean begin() {
        boolean wanted = isWanted();
        begun |= wanted;
        return wanted;
    }

    /** Whether anybody waits; a verb of several steps may end between two of them if not. */
    public synchronized boolean isWanted() {
        return !withdrawn && !isDone();
    }

    /**
     * For the engine, which does not wait any more, or has heard that it failed.
     *
     * @return true if it was never sent and never will be: it is cancelled, if the store has not failed it before.
     *     False if it has been: then it goes on and is completed, as what it has done should be known, though a store
     *     of several steps may fail it
     */
    public boolean withdraw() {
        synchronized (this) {
            withdrawn = true;
            if (begun || (isDone() && !isCompletedExceptionally())) {
                return false;
            }
        }
        cancel(false);
        return true;
    }
}
