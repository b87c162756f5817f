package dev.interlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A number of permits that processes share. What a caller gets is a {@link Lease} of some permits, renewed until it is
 * released: the permits of a process that dies come back when its leases end.
 *
 * <p>Requests are granted in the order of their arrival at the store: {@code tryAcquire()} fails while others wait.
 * Only permits that a caller of this process gives back go first to the next one of this process that wants as many,
 * within the bounds of {@link LockOptions#handOver}; with {@link LockOptions#fair()} not even that, and a large request
 * is never overtaken by small ones. All permits of a request come at once or not at all. There is no
 * {@code release(int)}: each lease gives back what it has taken.
 *
 * <p>The tokens of the leases are unique. They grow with each request that the store grants; one that passes on inside
 * the process may be lower than that of another lease that was granted meanwhile.
 *
 * <p>The first use of a name sets its capacity; {@link #resize} changes it for all. On ZooKeeper each client goes by
 * its own number until then. A store forgets a capacity that was not set by {@code resize} when nobody holds or waits,
 * and one that was set a day later.
 *
 * <p>Thread-safe; cheap to create and to keep, nothing to close. A store that has no semaphores answers with
 * {@link UnsupportedOperationException}.
 */
public interface DistributedSemaphore {

    /** The semaphore's name. */
    String name();

    /** Waits for one permit. */
    Lease acquire() throws InterruptedException;

    /**
     * Waits for this many permits; for more than there are, because others made it smaller, until it is resized, and
     * those who come later wait behind.
     *
     * @param permits from 1 to the capacity that this object was made with
     * @throws IllegalArgumentException if it is not; nothing has been asked for
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}
     */
    Lease acquire(int permits) throws InterruptedException;

    /** As {@link #acquire(int)}, on this term. */
    Lease acquire(int permits, LeaseTerm term) throws InterruptedException;

    /** One attempt to get one permit. */
    Optional<Lease> tryAcquire();

    /** One attempt. Throws as {@link #acquire(int)}. */
    Optional<Lease> tryAcquire(int permits);

    /** Waits up to this long. Throws as {@link #acquire(int)}. */
    Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException;

    /** As {@link #tryAcquire(int, Duration)}, on this term. */
    Optional<Lease> tryAcquire(int permits, Duration wait, LeaseTerm term) throws InterruptedException;

    /** Waits without a thread. The stage completes on the client's callback executor; to cancel it gives up. */
    CompletionStage<Lease> acquireAsync(int permits);

    /** Waits up to this long without a thread; see {@link #acquireAsync(int)}. */
    CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait);

    /**
     * Takes what is free at this moment, all in one lease, but no more than the capacity with which this object was
     * made; empty if nothing is free, or if others wait. Throws as {@link #acquire(int)}.
     */
    Optional<Lease> drain();

    /**
     * How many are free at this moment. After a reduction by {@link #resize} it may be negative. Permits that a client
     * was granted after the last of its callers had gone are on their way back, and not free before the store has them.
     * Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int availablePermits();

    /** How many there are. Asks the store, and throws as {@link #availablePermits()}. */
    int capacity();

    /**
     * Sets how many there are, for all who use the name. Those who hold keep what they have: after a reduction nobody
     * gets any until enough have come back.
     *
     * @param newCapacity 1 or more
     * @throws IllegalArgumentException if it is not
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or once if
     *     the thread is interrupted; it may have been resized
     */
    void resize(int newCapacity);

    /** Who holds how many, and who waits. Asks the store, and throws as {@link #availablePermits()}. */
    LockStatus inspect();
}
