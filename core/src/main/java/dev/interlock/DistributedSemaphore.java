package dev.interlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A number of permits that processes share. A caller acquires a {@link Lease} of some permits, which is renewed until
 * it is released: the permits of a process that dies come back when its leases end.
 *
 * <p>The store grants requests in the order of their arrival; {@code tryAcquire()} fails while others wait. There is
 * one exception: permits that a caller of this process releases go first to the next caller of this process that wants
 * as many, within the bounds of {@link LockOptions.Builder#handOver}. With {@link LockOptions.Builder#fair} there is
 * none, and small requests never overtake a large one. A request gets all of its permits at once or none. Each lease
 * returns the permits that it has taken, all at its end or some of them before, by {@link #release(Lease, int)}.
 *
 * <p>The tokens of the leases are unique. They grow with each request that the store grants. A token that passes on
 * inside the process may be lower than that of another lease that was granted meanwhile.
 *
 * <p>The first use of a name sets its capacity; {@link #resize} changes it for all clients. On ZooKeeper each client
 * goes by its own number until then. A store forgets a capacity that was not set by {@code resize} when nobody holds or
 * waits any more, and one that was set by it a day later.
 *
 * <p>Thread-safe. A semaphore is cheap to create and to keep, and needs no closing. If the store has no semaphores, the
 * methods throw {@link UnsupportedOperationException}.
 */
public interface DistributedSemaphore {

    /** {@return the semaphore's name} */
    String name();

    /**
     * Acquires one permit, as {@link #acquire(int)}.
     *
     * @return a lease of the permit
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    default Lease acquire() throws InterruptedException {
        return acquire(1);
    }

    /**
     * Acquires this many permits, and waits until there are as many. If there are fewer in all, because somebody has
     * made the semaphore smaller, the call waits until it is resized, and later callers wait behind it. For more
     * permits than this object was made with, the store is asked for its capacity first.
     *
     * @param permits from 1 to {@link #capacity()}
     * @return a lease of the permits
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws IllegalArgumentException if {@code permits} is out of range; nothing has been requested
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}
     */
    Lease acquire(int permits) throws InterruptedException;

    /**
     * Acquires permits like {@link #acquire(int)}, on {@code term}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param term how long to hold the permits
     * @return a lease of the permits
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Lease acquire(int permits, LeaseTerm term) throws InterruptedException;

    /**
     * Makes one attempt to acquire one permit, as {@link #tryAcquire(int)}.
     *
     * @return a lease of the permit; empty if it was not acquired
     */
    default Optional<Lease> tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Makes one attempt to acquire this many permits. Throws like {@link #acquire(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @return a lease of the permits; empty if they were not acquired
     */
    Optional<Lease> tryAcquire(int permits);

    /**
     * Makes one attempt to acquire permits like {@link #tryAcquire(int)}, on {@code term}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param term how long to hold the permits
     * @return a lease of the permits; empty if they were not acquired
     */
    Optional<Lease> tryAcquire(int permits, LeaseTerm term);

    /**
     * Acquires one permit, and waits for at most {@code wait}, as {@link #tryAcquire(int, Duration)}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @return a lease of the permit; empty if it was not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    default Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(1, wait);
    }

    /**
     * Acquires this many permits, and waits for at most {@code wait}. Throws like {@link #acquire(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param wait how long to wait; zero or less makes one attempt
     * @return a lease of the permits; empty if they were not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException;

    /**
     * Acquires permits like {@link #tryAcquire(int, Duration)}, on {@code term}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param wait how long to wait; zero or less makes one attempt
     * @param term how long to hold the permits
     * @return a lease of the permits; empty if they were not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Optional<Lease> tryAcquire(int permits, Duration wait, LeaseTerm term) throws InterruptedException;

    /**
     * Acquires one permit without blocking, as {@link #acquireAsync(int)}.
     *
     * @return a stage of the lease
     */
    default CompletionStage<Lease> acquireAsync() {
        return acquireAsync(1);
    }

    /**
     * Acquires permits without blocking. The stage completes on the client's callback executor. To give up, cancel
     * {@code toCompletableFuture()}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @return a stage of the lease
     */
    CompletionStage<Lease> acquireAsync(int permits);

    /**
     * Acquires permits without blocking, on {@code term}; see {@link #acquireAsync(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param term how long to hold the permits
     * @return a stage of the lease
     */
    CompletionStage<Lease> acquireAsync(int permits, LeaseTerm term);

    /**
     * Makes one attempt to acquire one permit, without blocking; see {@link #acquireAsync(int)}.
     *
     * @return a stage of the lease; empty if the permit was not acquired
     */
    default CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(1);
    }

    /**
     * Makes one attempt to acquire permits, without blocking; see {@link #acquireAsync(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @return a stage of the lease; empty if the permits were not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(int permits);

    /**
     * Makes one attempt to acquire permits, without blocking, on {@code term}; see {@link #acquireAsync(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param term how long to hold the permits
     * @return a stage of the lease; empty if the permits were not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, LeaseTerm term);

    /**
     * Acquires one permit without blocking, and waits for at most {@code wait}; see {@link #acquireAsync(int)}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @return a stage of the lease; empty if the permit was not acquired
     */
    default CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(1, wait);
    }

    /**
     * Acquires permits without blocking, and waits for at most {@code wait}; see {@link #acquireAsync(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param wait how long to wait; zero or less makes one attempt
     * @return a stage of the lease; empty if the permits were not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait);

    /**
     * Acquires permits without blocking, on {@code term}, and waits for at most {@code wait}; see
     * {@link #acquireAsync(int)}.
     *
     * @param permits from 1 to {@link #capacity()}
     * @param wait how long to wait; zero or less makes one attempt
     * @param term how long to hold the permits
     * @return a stage of the lease; empty if the permits were not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait, LeaseTerm term);

    /**
     * Acquires all permits that are free at this moment in one lease, but no more than the capacity that this object
     * was made with. Returns an empty value if none is free, or if others wait. Throws like {@link #acquire(int)}.
     *
     * @return a lease of the permits; empty if none was free
     */
    Optional<Lease> drain();

    /**
     * Returns some of the permits of a lease, which keeps the others and lasts as before. Waits for the store.
     *
     * @param lease a valid lease of this semaphore
     * @param permits from 1 to the number of permits that the lease still has; all of them end the lease
     * @throws IllegalArgumentException if the lease is not of this semaphore, or does not have so many permits; nothing
     *     has been returned
     * @throws LockLostException if the lease was lost, now or before
     * @throws IllegalStateException if the lease was released
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}; then the
     *     permits may stay taken until the end of the lease, which counts as one of fewer permits
     */
    void release(Lease lease, int permits);

    /**
     * Ends a lease of this semaphore, of any client, by the id that its holder has passed on: all of its permits come
     * back. The holder loses the lease with {@link LossCause#FORCED}; if it has not heard of that when it releases the
     * lease, its release finds it.
     *
     * @param leaseId the {@link Lease#id() id} of the lease
     * @return whether the lease was held; false also if it is one of another name
     * @throws IllegalArgumentException if the text cannot be the id of a lease
     * @throws StoreUnavailableException if the store did not answer in time; the lease may have ended
     */
    boolean release(String leaseId);

    /**
     * {@return the number of permits that are free at this moment} After a reduction by {@link #resize} it may be
     * negative. Permits that a client was granted after its last caller had gone are on their way back, and not free
     * before the store has them. Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    int availablePermits();

    /** {@return the number of permits in all} Asks the store, and throws like {@link #availablePermits()}. */
    int capacity();

    /**
     * Sets the number of permits for all who use the name. Holders keep what they have: after a reduction no caller
     * gets any permit until enough have come back.
     *
     * @param newCapacity 1 or more
     * @throws IllegalArgumentException if {@code newCapacity} is less than 1
     * @throws StoreUnavailableException if the store has not answered for the client's {@code storeTimeout}, or has
     *     left one attempt unanswered and the thread is interrupted; the semaphore may have been resized
     */
    void resize(int newCapacity);

    /**
     * Does the same as {@link #resize} without blocking the caller: a thread of the callback executor waits for the
     * store.
     *
     * @param newCapacity 1 or more
     * @return a stage that completes when the semaphore has been resized; what {@link #resize} throws fails it
     */
    CompletionStage<Void> resizeAsync(int newCapacity);

    /**
     * Changes the number of permits for all who use the name, in one step: calls of several clients at once add up. If
     * the store does not know the capacity, the number counts from the one that this object was made with. Otherwise as
     * {@link #resize}. The store changes the capacity once, even if its answer is lost and the client repeats the
     * request.
     *
     * @param permits how many more permits; negative for fewer
     * @throws IllegalArgumentException if the semaphore would have fewer permits than one, or more than an {@code int}
     *     holds; it is as before
     * @throws StoreUnavailableException as {@link #resize}
     */
    void addPermits(int permits);

    /**
     * Does the same as {@link #addPermits} without blocking the caller: a thread of the callback executor waits for the
     * store.
     *
     * @param permits how many more permits; negative for fewer
     * @return a stage that completes when the capacity has been changed; what {@link #addPermits} throws fails it
     */
    CompletionStage<Void> addPermitsAsync(int permits);

    /**
     * {@return who holds how many permits, and who waits} Asks the store, and throws like {@link #availablePermits()}.
     */
    LockStatus inspect();
}
