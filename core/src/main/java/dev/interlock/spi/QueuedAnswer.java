package dev.interlock.spi;

import java.util.concurrent.CompletableFuture;

/**
 * The answer to a verb that a store queues until it can be sent. Withdrawing it tells whether the server may have
 * received the request: a request that was never sent leaves nothing to take back, and the outcome of one that was sent
 * is worth waiting for. A store that sends at once does not need this class.
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

    /**
     * Called by the engine, which does not wait any more, or has received the failure.
     *
     * @return true if the request was not and will not be sent: the answer is cancelled, unless the store has failed it
     *     before. False if it was sent: then the store completes the answer with the outcome, though a store of several
     *     steps may fail it
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
