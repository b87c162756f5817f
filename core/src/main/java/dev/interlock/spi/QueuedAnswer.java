package dev.interlock.spi;

import java.util.concurrent.CompletableFuture;

/**
 * The answer to a verb that a store queues until it can be sent. Withdrawing it tells whether the server may have
 * received the request: a request that was never sent leaves nothing to take back, and the outcome of one that was sent
 * is worth waiting for. A store whose requests know by themselves whether they were sent makes them
 * {@link Withdrawable} instead.
 *
 * <pre>
 *   queued --begin()-----> sent -------> completed: by what the server says
 *     |'----withdraw()---> cancelled
 *     '------------------> failed: there is no connection to send it on
 * </pre>
 *
 * <p>Thread-safe. Its own monitor guards the state; nothing is called and nothing completed under it.
 */
public final class QueuedAnswer<T> extends CompletableFuture<T> implements Withdrawable {

    private boolean begun;

    private boolean withdrawn;

    /** The answer to a verb that has just been queued. */
    public QueuedAnswer() {}

    /**
     * Called by the store before the server can receive the request. Returns whether anybody still waits; if so, the
     * request cannot be withdrawn any more.
     */
    public synchronized boolean begin() {
        boolean wanted = isWanted();
        begun |= wanted;
        return wanted;
    }

    /** Whether anybody waits. If not, a verb of several steps may end between two of them. */
    public synchronized boolean isWanted() {
        return !withdrawn && !isDone();
    }

    @Override
    public synchronized boolean isInLine() {
        return !begun && isWanted();
    }

    @Override
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
