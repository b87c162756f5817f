package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One acquisition of a lock. While it is valid, its holder is alone.
 *
 * <p>A lease belongs to no thread: any thread may check, extend or release it. It is for single use: once released or
 * lost, it stays so. Thread-safe.
 *
 * <p>A lease ends by the local monotonic clock, a margin before the store may give the name away, whether or not the
 * network is alive. {@link #isValid()} is the cheap check before a step that matters. The safe check is
 * {@link #token()}, which you pass to the protected resource.
 */
public interface Lease extends AutoCloseable {

    /** {@return the lock's name} */
    String name();

    /**
     * {@return the id of this lease, by which another process may end it: see
     * {@link DistributedSemaphore#release(String)}} In the store it is the owner of the claim, as
     * {@link LockStatus.Holder#owner()} shows it. After the first call the claim belongs to this lease alone: when it
     * is released, it goes back to the store, and not to the next caller of this process. No I/O.
     *
     * @throws LockLostException if the lease was lost before the first call
     * @throws IllegalStateException if the lease was released before the first call
     * @throws UnsupportedOperationException if this is a lease of several locks
     */
    default String id() {
        throw new UnsupportedOperationException("Several locks have no common id: name=" + Printable.of(name()));
    }

    /**
     * {@return the fencing token} It is larger than that of every earlier lease of the name; for readers and permits
     * see {@link DistributedReadWriteLock} and {@link DistributedSemaphore}. A resource that remembers the largest
     * token it has seen, and refuses smaller ones, is safe from holders that were paused past their lease.
     */
    long token();

    /**
     * {@return the fencing token of one of the locks behind this lease: of a member, if the lease is of several locks;
     * otherwise of the lock itself}
     *
     * @param name the name of the lock, or of the member
     * @throws IllegalArgumentException if the lease is of no lock of this name
     */
    default long token(String name) {
        if (!name.equals(name())) {
            throw new IllegalArgumentException(
                    "This is a lease of lock '" + Printable.of(name()) + "', not of '" + Printable.of(name) + "'");
        }
        return token();
    }

    /**
     * {@return whether the lease is neither released nor lost nor over} True is a statement about this moment only. No
     * I/O.
     */
    boolean isValid();

    /**
     * {@return how long the lease lasts without a renewal; zero if it is over} On a store that ends leases with the
     * client's session, such as ZooKeeper, the lease may end sooner. No I/O.
     */
    Duration remaining();

    /**
     * Returns normally if the lease is valid. No I/O.
     *
     * @throws LockLostException if the lease was lost, or its release has found that it was
     * @throws IllegalStateException if the lease was released
     */
    void ensureValid();

    /**
     * Makes the claim last {@code length} from now in the store. In this process the lease ends the usual margin
     * earlier (1 % and 2 ms), and a maximum hold still bounds it. A fixed lease becomes longer in this way only; for a
     * renewing one it covers a time in which renewals may fail. The call never shortens a lease. It waits for the
     * store.
     *
     * @param length 50 ms to 365 days
     * @throws IllegalArgumentException if {@code length} is out of range
     * @throws LockLostException if the lease was lost, now or before
     * @throws IllegalStateException if the lease was released
     * @throws StoreUnavailableException if the store did not answer in time; the lease is as long as before
     */
    void extend(Duration length);

    /**
     * Registers a callback that runs once, on the client's callback executor, when the lease is lost. It runs at once
     * if the lease is lost already, and never if the lease is released first. Exceptions of the callback are logged.
     *
     * @param callback receives why the lease was lost
     */
    void onLost(Consumer<LossCause> callback);

    /**
     * Registers a callback that runs once, on the client's callback executor, when somebody asks for the lock while
     * this lease holds it, by {@link LockAdministration#requestRevocation} or otherwise. It runs at once if somebody
     * has done so already, and never after the end of the lease. The lease stays as it is: the callback decides whether
     * and when to release it. Exceptions of the callback are logged.
     *
     * <p>If the store cannot ask holders, the callback never runs. If the store cannot notify a holder at once, it
     * notifies it with its next renewal, and a fixed lease not at all.
     *
     * @param callback the code to run
     */
    void onRevocationRequested(Runnable callback);

    /**
     * Ends the lease in this process at once, and in the store as soon as it can be reached. Waits for the store's
     * answer for a bounded time, unless a caller in this process takes over. Never throws.
     *
     * @return what the release found
     */
    ReleaseOutcome release();

    /**
     * Does the same as {@link #release()} without blocking: when this method returns, the lease has ended in this
     * process. The stage completes with the outcome, within the time that {@link #release()} would take, never
     * exceptionally, on the callback executor; at once if a caller in this process takes over. To cancel or complete
     * {@code toCompletableFuture()} changes nothing about the release. A thread that blocks for that future needs no
     * thread of the executor.
     *
     * @return a stage of the outcome
     */
    CompletionStage<ReleaseOutcome> releaseAsync();

    /**
     * Ends the lease in this process at once, and leaves the lock to lapse: the store keeps it for {@code after} from
     * now, for a shorter or a longer time than is left of the lease, and then gives it to the next. Nobody gets it
     * before, in this process neither. No client has to do anything for that: the lock stays for its time if this
     * client is closed or the process ends, and nobody renews it. {@link LockStatus.Holder#isLeft()} shows it;
     * {@link LockAdministration#forceUnlock(String)} ends it.
     *
     * <p>Waits for the store's answer as {@link #release()} does. If there is none, the client repeats the request in
     * the background until the time is over.
     *
     * @param after up to 365 days; zero or less releases the lock
     * @return what the request found; {@link ReleaseOutcome#RELEASED} if the store keeps the lock for the time
     * @throws IllegalArgumentException if {@code after} is out of range
     * @throws IllegalStateException if this is a lease of a write lock whose thread holds the read lock, too
     * @throws UnsupportedOperationException if the store cannot keep a lock without a holder, as ZooKeeper cannot, or
     *     if this is a lease of a read lock; the lease is as before
     */
    ReleaseOutcome lapse(Duration after);

    /**
     * Does the same as {@link #lapse} without blocking, and completes as {@link #releaseAsync()} does. What
     * {@link #lapse} throws, this method throws itself.
     *
     * @param after up to 365 days; zero or less releases the lock
     * @return a stage of the outcome
     */
    CompletionStage<ReleaseOutcome> lapseAsync(Duration after);

    /**
     * Does the same as {@link #release()}, for try-with-resources. Throws nothing, and so hides no exception of the
     * body.
     */
    @Override
    void close();
}
