package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A mutual exclusion lock between processes, in two forms that exclude each other.
 *
 * <p><b>The {@link Lock} form</b> is owned by a thread and re-entrant, like
 * {@link java.util.concurrent.locks.ReentrantLock}. The first, outermost acquisition decides the lease term. A re-entry
 * needs no I/O; if the lease is lost, it throws {@link LockLostException}.
 *
 * <p><b>The handle form</b> ({@link #acquire()} and its family) returns a {@link Lease} that belongs to no thread, and
 * is not re-entrant: a caller that acquires twice waits for itself. Use it in asynchronous code.
 *
 * <p>Results of the methods:
 *
 * <table>
 * <caption>Truth table</caption>
 * <tr>
 *   <th></th>
 *   <th>{@code lock, acquire}</th>
 *   <th>{@code lockInterruptibly}</th>
 *   <th>{@code tryLock(), tryAcquire()}</th>
 *   <th>{@code tryLock(d), tryAcquire(d)}</th>
 * </tr>
 * <tr>
 *   <td>free</td>
 *   <td>held</td>
 *   <td>held</td>
 *   <td>true, a lease</td>
 *   <td>true, a lease</td>
 * </tr>
 * <tr>
 *   <td>held by this thread ({@code Lock} form)</td>
 *   <td>count + 1</td>
 *   <td>count + 1</td>
 *   <td>count + 1, true</td>
 *   <td>count + 1, true</td>
 * </tr>
 * <tr>
 *   <td>held by another</td>
 *   <td>waits</td>
 *   <td>waits</td>
 *   <td>false, empty</td>
 *   <td>waits up to d, then false, empty</td>
 * </tr>
 * <tr>
 *   <td>interrupted before or while waiting</td>
 *   <td>{@code lock}: waits on, and sets the flag again; {@code acquire}: throws InterruptedException</td>
 *   <td>InterruptedException</td>
 *   <td>ignores the flag</td>
 *   <td>InterruptedException</td>
 * </tr>
 * <tr>
 *   <td>store silent</td>
 *   <td>StoreUnavailableException after {@code storeTimeout}</td>
 *   <td>the same</td>
 *   <td>StoreUnavailableException after {@code attemptTimeout}</td>
 *   <td>StoreUnavailableException after {@code storeTimeout}, or after d or {@code attemptTimeout}, whichever is
 *       longer</td>
 * </tr>
 * <tr>
 *   <td>held lease was lost</td>
 *   <td>LockLostException ({@code Lock} form, in the thread that lost it)</td>
 *   <td>the same</td>
 *   <td>the same</td>
 *   <td>the same</td>
 * </tr>
 * <tr>
 *   <td>client closed</td>
 *   <td>IllegalStateException</td>
 *   <td>the same</td>
 *   <td>the same</td>
 *   <td>the same</td>
 * </tr>
 * </table>
 *
 * <p>A wait bounds the time in the line. The store's first answer is waited for in any case, for one attempt: so a wait
 * of zero is {@code tryLock()}, and any wait gets a free lock, however far away the store is. The time to connect is
 * not part of an attempt.
 *
 * <p>A caller that gives up or is interrupted leaves nothing behind in the store. A grant that arrives too late is
 * taken back.
 *
 * <p>Callers of one process wait in first-in first-out order; {@code tryLock()} fails if any of them waits. Between
 * processes the lock goes round in bounded turns (see {@link LockOptions.Builder#handOver}).
 *
 * <p>Thread-safe. A lock is cheap to create and to keep, and needs no closing.
 */
public interface DistributedLock extends Lock {

    /** {@return the lock's name} */
    String name();

    /** Acquires the lock on its own term, and waits as long as it is held by another. */
    @Override
    void lock();

    /**
     * Acquires the lock on {@code term}, and waits as long as it is held by another. A re-entry keeps the term of the
     * first acquisition.
     *
     * @param term how long to hold the lock
     */
    void lock(LeaseTerm term);

    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Acquires the lock on {@code term}, and waits as long as it is held by another, or until interrupted. A re-entry
     * keeps the term of the first acquisition.
     *
     * @param term how long to hold the lock
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    void lockInterruptibly(LeaseTerm term) throws InterruptedException;

    /**
     * Makes one attempt to acquire the lock. Unlike the timed form, it ignores the interrupt flag.
     *
     * @return whether this thread holds the lock now
     */
    @Override
    boolean tryLock();

    /**
     * Makes one attempt to acquire the lock on {@code term}. Ignores the interrupt flag. A re-entry keeps the term of
     * the first acquisition.
     *
     * @param term how long to hold the lock
     * @return whether this thread holds the lock now
     */
    boolean tryLock(LeaseTerm term);

    /**
     * Acquires the lock on its own term, and waits for at most {@code wait}.
     *
     * @param wait how long to wait for the lock; zero or less makes one attempt
     * @return whether this thread holds the lock now
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean tryLock(Duration wait) throws InterruptedException;

    /**
     * Acquires the lock on {@code term}, and waits for at most {@code wait}.
     *
     * @param wait how long to wait for the lock; zero or less makes one attempt
     * @param term how long to hold the lock
     * @return whether this thread holds the lock now
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean tryLock(Duration wait, LeaseTerm term) throws InterruptedException;

    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Undoes one acquisition of this thread. The last one releases the lock.
     *
     * @throws LockLostException if this thread held the lock and lost it; the hold count decreases nevertheless
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    @Override
    void unlock();

    /**
     * Ends this thread's hold, as {@link #unlock()} does, but leaves the lock to lapse: nobody gets it for
     * {@code after} from now. See {@link Lease#lapse}. The thread can lock again, and then waits like any other.
     *
     * @param after up to 365 days; zero or less unlocks
     * @throws IllegalArgumentException if {@code after} is out of range
     * @throws IllegalStateException if this thread holds the lock more than once, or the read lock besides the write
     *     lock
     * @throws LockLostException if this thread held the lock and lost it; the hold ends nevertheless
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws UnsupportedOperationException if the store cannot keep a lock without a holder, as ZooKeeper cannot, or
     *     if this is a read lock; the hold is as before
     */
    void lapse(Duration after);

    /**
     * {@return whether anybody holds the lock} Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    boolean isLocked();

    /** {@return whether this thread holds the lock with a valid lease} No I/O. */
    boolean isHeldByCurrentThread();

    /**
     * {@return how often this thread has to unlock; 0 if it does not hold the lock} A lost lease counts until it is
     * unlocked. No I/O.
     */
    int holdCount();

    /** {@return the rest of this thread's lease; zero if it has none} No I/O. */
    Duration remainingLease();

    /**
     * {@return the lease behind this thread's hold} Use it to get the token, and to call {@link Lease#onLost} and
     * {@link Lease#extend}. No I/O.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    Lease heldLease();

    /**
     * {@return who holds the lock and who waits} Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();

    /**
     * Acquires a lease on the lock's own term, and waits as long as the lock is held by another.
     *
     * @return the lease
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires a lease on {@code term}, and waits as long as the lock is held by another.
     *
     * @param term how long to hold the lock
     * @return the lease
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Lease acquire(LeaseTerm term) throws InterruptedException;

    /**
     * Makes one attempt to acquire a lease. Ignores the interrupt flag.
     *
     * @return the lease; empty if the lock was not acquired
     */
    Optional<Lease> tryAcquire();

    /**
     * Makes one attempt to acquire a lease on {@code term}. Ignores the interrupt flag.
     *
     * @param term how long to hold the lock
     * @return the lease; empty if the lock was not acquired
     */
    Optional<Lease> tryAcquire(LeaseTerm term);

    /**
     * Acquires a lease on the lock's own term, and waits for at most {@code wait}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @return the lease; empty if the lock was not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Acquires a lease on {@code term}, and waits for at most {@code wait}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @param term how long to hold the lock
     * @return the lease; empty if the lock was not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    Optional<Lease> tryAcquire(Duration wait, LeaseTerm term) throws InterruptedException;

    /**
     * Acquires a lease on the lock's own term without blocking. The stage completes on the callback executor. To give
     * up, cancel {@code toCompletableFuture()}, or end it in another way: a grant on its way is taken back. If
     * {@code cancel} returns false, the grant was first, and the lease is the caller's to release.
     *
     * @return a stage of the lease
     */
    CompletionStage<Lease> acquireAsync();

    /**
     * Acquires a lease on {@code term} without blocking. Completes like {@link #acquireAsync()}.
     *
     * @param term how long to hold the lock
     * @return a stage of the lease
     */
    CompletionStage<Lease> acquireAsync(LeaseTerm term);

    /**
     * Makes one attempt to acquire a lease, without blocking. Completes like {@link #acquireAsync()}.
     *
     * @return a stage of the lease; empty if the lock was not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync();

    /**
     * Makes one attempt to acquire a lease on {@code term}, without blocking. Completes like {@link #acquireAsync()}.
     *
     * @param term how long to hold the lock
     * @return a stage of the lease; empty if the lock was not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseTerm term);

    /**
     * Acquires a lease on the lock's own term without blocking. The stage completes with an empty value after
     * {@code wait}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @return a stage of the lease; empty if the lock was not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait);

    /**
     * Acquires a lease on {@code term} without blocking. The stage completes with an empty value after {@code wait}.
     *
     * @param wait how long to wait; zero or less makes one attempt
     * @param term how long to hold the lock
     * @return a stage of the lease; empty if the lock was not acquired
     */
    CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait, LeaseTerm term);

    /**
     * Runs {@code body} under {@link #lock()}.
     *
     * @param body the code to run; {@link Interlock#close()} waits for it, and does not give the lock away
     * @throws LockLostException after a body that ended normally, if the lease was lost by then, or before the body if
     *     it was lost at once; an exception of the body is never replaced
     */
    default void run(Runnable body) {
        lock();
        runLocked(body);
    }

    /**
     * Runs {@code body} under {@link #tryLock(Duration)}. Throws like {@link #run(Runnable)}.
     *
     * @param wait how long to wait for the lock; zero or less makes one attempt
     * @param body the code to run
     * @return whether it was run; false if the lock was not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     */
    default boolean tryRun(Duration wait, Runnable body) throws InterruptedException {
        if (!tryLock(wait)) {
            return false;
        }
        runLocked(body);
        return true;
    }

    /**
     * Calls {@code body} under {@link #lock()} and returns its result. Throws like {@link #run(Runnable)}.
     *
     * @param <T> the type of the result
     * @param body the code to run
     * @return the result of {@code body}
     * @throws Exception if {@code body} throws it
     */
    default <T> T call(Callable<T> body) throws Exception {
        lock();
        return callLocked(body);
    }

    /**
     * Calls {@code body} under {@link #tryLock(Duration)}. Throws like {@link #run(Runnable)}.
     *
     * @param <T> the type of the result
     * @param wait how long to wait for the lock; zero or less makes one attempt
     * @param body the code to run, whose result is not null; use {@link #tryRun} for code without a result
     * @return the result of {@code body}; empty if the lock was not acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits for the lock
     * @throws Exception if {@code body} throws it
     */
    default <T> Optional<T> tryCall(Duration wait, Callable<T> body) throws Exception {
        return tryLock(wait) ? Optional.of(callLocked(body)) : Optional.empty();
    }

    private void runLocked(Runnable body) {
        try (Unlocking unlocking = new Unlocking(this)) {
            unlocking.bodyBegins();
            body.run();
            unlocking.bodyEndedNormally();
        }
    }

    private <T> T callLocked(Callable<T> body) throws Exception {
        try (Unlocking unlocking = new Unlocking(this)) {
            unlocking.bodyBegins();
            T result = body.call();
            unlocking.bodyEndedNormally();
            return result;
        }
    }

    /**
     * Always throws {@link UnsupportedOperationException}: a condition would have to move its waiters between
     * processes.
     */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "Conditions between processes are not supported; lock '" + Printable.of(name()) + "' cannot have one");
    }
}
