package dev.interlock;

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
 * {@link java.util.concurrent.locks.ReentrantLock}. The lease term is that of the first, outermost acquisition.
 * Re-entry costs no I/O; on a lost lease it throws {@link LockLostException}.
 *
 * <p><b>The handle form</b> ({@link #acquire()} and its family) returns a {@link Lease} that belongs to no thread, and
 * is not re-entrant: acquiring twice waits for oneself. It is the form for asynchronous code.
 *
 * <p>What the methods do:
 *
 * <table>
 * <caption>Truth table</caption>
 * <tr><th></th><th>{@code lock, acquire}</th><th>{@code lockInterruptibly}</th><th>{@code tryLock(), tryAcquire()}</th><th>{@code tryLock(d), tryAcquire(d)}</th></tr>
 * <tr><td>free</td><td>held</td><td>held</td><td>true, a lease</td><td>true, a lease</td></tr>
 * <tr><td>held by this thread ({@code Lock} form)</td><td>count + 1</td><td>count + 1</td><td>count + 1, true</td><td>count + 1, true</td></tr>
 * <tr><td>held by another</td><td>waits</td><td>waits</td><td>false, empty</td><td>waits up to d, then false, empty</td></tr>
 * <tr><td>interrupted before or while waiting</td><td>{@code lock}: waits on, and sets the flag again; {@code acquire}: throws InterruptedException</td>
 * <td>InterruptedException</td><td>not looked at</td><td>InterruptedException</td></tr>
 * <tr><td>store silent</td><td>StoreUnavailableException after {@code storeTimeout}</td><td>the same</td><td>StoreUnavailableException after
 * {@code attemptTimeout}</td><td>StoreUnavailableException after {@code storeTimeout}, or after d + 30 ms at the latest if the store never answered; else false, empty</td></tr>
 * <tr><td>held lease was lost</td><td>LockLostException ({@code Lock} form, by the thread that lost it)</td><td>the same</td><td>the same</td><td>the same</td></tr>
 * <tr><td>client closed</td><td>IllegalStateException</td><td>the same</td><td>the same</td><td>the same</td></tr>
 * </table>
 *
 * <p>Who gives up or is interrupted leaves nothing behind in the store. A grant that comes too late is taken back.
 *
 * <p>Callers of one process wait first-in first-out; {@code tryLock()} fails if any of them waits. Between processes
 * the lock goes round in bounded turns (see {@link LockOptions#handOver}).
 *
 * <p>Thread-safe; cheap to create, cheap to keep, nothing to close.
 */
public interface DistributedLock extends Lock {

    /** The lock's name. */
    String name();

    /** Waits until held, with the lock's own term. */
    @Override
    void lock();

    /** Waits until held. A re-entry keeps the term of the first acquisition. */
    void lock(LeaseTerm term);

    @Override
    void lockInterruptibly() throws InterruptedException;

    /** One attempt. Unlike the timed form, it does not look at the interrupt flag. */
    @Override
    boolean tryLock();

    /** Waits at most {@code wait}, with the lock's own term. */
    boolean tryLock(Duration wait) throws InterruptedException;

    /**
     * Waits at most {@code wait}.
     *
     * @param wait how long to wait for the lock; zero or less tries once
     * @param term for how long to hold it
     */
    boolean tryLock(Duration wait, LeaseTerm term) throws InterruptedException;

    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Undoes one acquisition of this thread; the last one releases.
     *
     * @throws LockLostException if this thread held the lock and lost it; the hold count goes down all the same
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    @Override
    void unlock();

    /**
     * Ends the holder's claim, whoever that is: for operators. The holder is told with {@link LossCause#FORCED}: at
     * once if it is of this client, else by its next renewal, if that comes within a minute. One with a fixed lease is
     * told when it releases, or that its lease is over.
     *
     * @return whether anybody held it
     * @throws StoreUnavailableException if the store did not answer in time
     */
    boolean forceUnlock();

    /**
     * Asks whoever holds the lock to let go, and does not wait for that: the leases on it hear by
     * {@link Lease#onRevocationRequested}, and answer as they like. It ends nothing, and takes no place in the line.
     * Who holds without such a callback does not notice.
     *
     * @return whether anybody held it and has been asked
     * @throws UnsupportedOperationException if the store cannot ask
     * @throws StoreUnavailableException if the store did not answer for {@code storeTimeout}, or once if the thread is
     *     interrupted
     */
    boolean requestRevocation();

    /**
     * As {@link #requestRevocation()}, without blocking the caller: a thread of the callback executor waits for the
     * store meanwhile, and completes the stage.
     */
    CompletionStage<Boolean> requestRevocationAsync();

    /**
     * Whether anybody holds the lock, by the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    boolean isLocked();

    /** Whether this thread holds the lock with a valid lease. No I/O. */
    boolean isHeldByCurrentThread();

    /**
     * How often this thread has to unlock; 0 if it does not hold the lock. Counts a lost lease until it is unlocked. No
     * I/O.
     */
    int holdCount();

    /** What is left of the lease of this thread; zero if it holds none. No I/O. */
    Duration remainingLease();

    /**
     * The lease behind this thread's hold: for its token, {@link Lease#onLost} and {@link Lease#extend}. No I/O.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    Lease heldLease();

    /**
     * Who holds and who waits, by the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();

    /** Waits until acquired, with the lock's own term. */
    Lease acquire() throws InterruptedException;

    /** Waits until acquired. */
    Lease acquire(LeaseTerm term) throws InterruptedException;

    /** One attempt. */
    Optional<Lease> tryAcquire();

    /** Waits at most {@code wait}, with the lock's own term. */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /** Waits at most {@code wait}. */
    Optional<Lease> tryAcquire(Duration wait, LeaseTerm term) throws InterruptedException;

    /**
     * Acquires without blocking. The stage completes on the callback executor. Cancelling {@code toCompletableFuture()}
     * gives up: a grant on its way is taken back.
     */
    CompletionStage<Lease> acquireAsync();

    /** As {@link #acquireAsync()}, for a term. */
    CompletionStage<Lease> acquireAsync(LeaseTerm term);

    /** One attempt, without blocking. Completes as {@link #acquireAsync()}. */
    CompletionStage<Optional<Lease>> tryAcquireAsync();

    /** Waits at most {@code wait}, without blocking. */
    CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait);

    /** Waits at most {@code wait}, without blocking, for a term. */
    CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait, LeaseTerm term);

    /**
     * Runs {@code body} under {@link #lock()}.
     *
     * @throws LockLostException after a body that ended normally, if the lease was lost by then; an exception of the
     *     body is never replaced
     */
    default void run(Runnable body) {
        lock();
        try (Unlocking unlocking = new Unlocking(this)) {
            body.run();
            unlocking.bodyEndedNormally();
        }
    }

    /** Calls {@code body} under {@link #lock()} and returns its result. Throws as {@link #run(Runnable)}. */
    default <T> T call(Callable<T> body) throws Exception {
        lock();
        try (Unlocking unlocking = new Unlocking(this)) {
            T result = body.call();
            unlocking.bodyEndedNormally();
            return result;
        }
    }

    /** Not supported: a condition would have to move its waiters between processes. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "Conditions between processes are not supported; lock '" + name() + "' cannot have one");
    }
}
