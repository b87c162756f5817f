package dev.interlock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One acquisition of a lock: proof, for a while, that its holder is alone.
 *
 * <p>It belongs to no thread: any thread may check, extend or release it. It is for single use: once released or lost
 * it stays so. Thread-safe.
 *
 * <p>A lease ends by the local monotonic clock, a margin before the store may give the name away, and it ends then
 * whether or not the network is alive. {@link #isValid()} is the cheap check before a step that matters;
 * {@link #token()}, given along to the protected resource, is the safe one.
 */
public interface Lease extends AutoCloseable {

    /** The lock's name. */
    String name();

    /**
     * The fencing token: larger than that of every earlier lease of the name; for readers and permits see
     * {@link DistributedReadWriteLock} and {@link DistributedSemaphore}. A resource that remembers the largest it has
     * seen, and refuses smaller ones, is safe from holders that were paused past their lease.
     */
    long token();

    /**
     * The fencing token of one of the locks behind this lease: of a member, for a lease of several locks; of the lock
     * itself, otherwise.
     *
     * @param name the lock, or the member
     * @throws IllegalArgumentException if the lease is of no lock of this name
     */
    default long token(String name) {
        if (!name.equals(name())) {
            throw new IllegalArgumentException("This is a lease of lock '" + name() + "', not of '" + name + "'");
        }
        return token();
    }

    /** Whether the lease is neither released nor lost nor over. No I/O. True is a statement about this moment only. */
    boolean isValid();

    /**
     * How long the lease lasts without a renewal; zero if it is over. On a store that ends it with the client's
     * session, as ZooKeeper, that may be sooner. No I/O.
     */
    Duration remaining();

    /**
     * Returns if the lease is valid. No I/O.
     *
     * @throws LockLostException if it was lost
     * @throws IllegalStateException if it was released
     */
    void ensureValid();

    /**
     * Makes the lease last {@code length} from now in the store; here it ends its usual margin earlier (1 % and 2 ms),
     * and a maximum hold still bounds it. On a fixed term this is the only way to a longer lease; on a renewing one it
     * covers a time in which renewals may fail. Never shortens. Waits for the store.
     *
     * @param length 50 ms to 365 days
     * @throws LockLostException if it was lost, now or before
     * @throws IllegalStateException if it was released
     * @throws StoreUnavailableException if the store did not answer in time; the lease is as long as before
     */
    void extend(Duration length);

    /**
     * Calls back once, on the client's callback executor, when the lease is lost; at once if it is lost already; never
     * if it is released first. Exceptions of the callback are logged.
     */
    void onLost(Consumer<LossCause> callback);

    /**
     * Calls back once, on the client's callback executor, when somebody asks for the lock while this lease holds it, by
     * {@link DistributedLock#requestRevocation()} or otherwise; at once if somebody has done so already; never after
     * its end. The lease stays as it is: whether and when to release it is up to the callback. Exceptions of the
     * callback are logged.
     *
     * <p>In a store that cannot ask it is never called. A store that cannot tell a holder at once tells it with its
     * next renewal, and a fixed lease not at all.
     */
    void onRevocationRequested(Runnable callback);

    /**
     * Ends the lease here at once, and in the store as soon as it can be reached. Waits for the store's answer for a
     * bounded time, unless a caller in this process takes over. Never throws.
     */
    ReleaseOutcome release();

    /**
     * {@link #release()} without blocking: the lease has ended here when this returns. The stage completes with the
     * outcome and within the time that {@link #release()} would take, never exceptionally, on the callback executor; at
     * once if a caller in this process takes over. To cancel or complete {@code toCompletableFuture()} changes nothing
     * about the release. A thread that blocks for that future needs no thread of the executor.
     */
    CompletionStage<ReleaseOutcome> releaseAsync();

    /** {@link #release()}, for try-with-resources: it throws nothing, and so hides no exception of the body. */
    @Override
    void close();
}
