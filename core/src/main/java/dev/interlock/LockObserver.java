package dev.interlock;

import dev.interlock.spi.Capability;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows each acquisition of a client from the call to the end of its lease: for metrics, traces and logs. It is
 * called directly, by the thread on which something happens, and outside all locks of the client.
 *
 * <p>An observer must be cheap: it does not block, do I/O, or use a lock of Interlock. Callers of the lock wait for it,
 * and so do the client's own thread, which renews leases, and threads of the store's driver. If a method throws, the
 * exception is logged and does no harm. Implementations are thread-safe. What may take longer goes to an executor of
 * your own, in one line: {@code executor.execute(() -> audit(name, outcome))}.
 *
 * <p>Not observed, since nobody waits and nothing is asked for: a thread that enters a lock it holds once more, and a
 * call that fails before it begins, for example in an interrupted thread.
 */
@FunctionalInterface
@SuppressWarnings("exports")
public interface LockObserver {

    /**
     * A caller begins to acquire. Called on the caller's thread, also for asynchronous calls.
     *
     * @param name the name of the lock
     * @param kind the kind of lock
     * @param mode what the caller wants of it, such as a share or a number of permits
     * @return what follows this acquisition; null if it is not of interest
     */
    @Nullable
    Acquisition acquiring(String name, LockKind kind, Mode mode);

    /**
     * Does the same, with the options of the lock; this is what the client calls.
     *
     * @param name the name of the lock
     * @param kind the kind of lock
     * @param mode what the caller wants of it
     * @param options the options of the lock
     * @return what follows this acquisition; null if it is not of interest
     */
    default @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode, LockOptions options) {
        return acquiring(name, kind, mode);
    }

    /**
     * The client is built, and has not been used yet. What this method throws, {@link InterlockBuilder#build} throws.
     *
     * @param clientId what the owner ids of its claims begin with
     * @param capabilities what its store has
     */
    default void opened(String clientId, Set<Capability> capabilities) {}

    /** The client is closed. Called once. Leases whose holders let go later end, and are reported, after it. */
    default void closed() {}

    /**
     * The client requests a claim from the store. Called before each acquire of a claim, also one that is repeated, on
     * the thread that sends it; not for conversions, nor for what holds nothing, such as a new capacity.
     *
     * @param name the name of the lock
     * @param owner the owner id of the claim
     */
    default void requested(String name, String owner) {}

    /**
     * A claim has been renewed.
     *
     * @param name the name of the lock
     * @param owner the owner id of the claim
     */
    default void renewed(String name, String owner) {}

    /**
     * A renewal has failed. The client tries again while the lease lasts, for at most {@code remaining}.
     *
     * @param name the name of the lock
     * @param owner the owner id of the claim
     * @param remaining how long the lease lasts without a renewal
     * @param failure why; the same for all claims of a request
     */
    default void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {}

    /** The store has replied to a request of any kind. */
    default void storeReplied() {}

    /**
     * Follows one acquisition. Either {@link #acquired} or {@link #gaveUp} is called, once; after {@code acquired} has
     * returned, {@link #ended} is called once. Calls do not overlap.
     *
     * <p>A blocking call that acquires or gives up does so on its own thread, as a blocking release. Otherwise the
     * thread is any one of the client, the store's driver or the callers.
     */
    interface Acquisition {

        /**
         * The caller waits. Called on its thread, after it has lined up, unless it has a lease by then or makes a
         * single attempt. The outcome may come meanwhile: this call may overlap with any other, or come after it.
         *
         * @param blocked whether the thread itself waits, and not a future
         * @param end ends the wait with an exception, which the caller gets; returns false if the outcome is known
         *     already. It may be called later and on any thread, but not from within a call of an observer
         */
        default void waiting(boolean blocked, Predicate<RuntimeException> end) {}

        /**
         * The caller has got a lease.
         *
         * @param token the fencing token of the lease
         * @param origin where the lease comes from
         * @param waited the time from the call to the grant
         */
        default void acquired(long token, LeaseOrigin origin, Duration waited) {}

        /**
         * The caller has stopped waiting without a lease.
         *
         * @param failure what the caller gets: an {@link InterruptedException}; a {@link StoreUnavailableException} if
         *     the store was silent; a {@link java.util.concurrent.CancellationException} if the caller has ended its
         *     future; another exception if the client or the store has refused the call. Null if the lock was not free
         *     in time.
         * @param waited the time since the call
         */
        default void gaveUp(@Nullable Throwable failure, Duration waited) {}

        /**
         * The lease has ended: it was released, or lost. A loss is reported when the client learns of it, while the
         * holder may still be at work; a holder that releases a lost lease is not reported again.
         *
         * @param outcome how it ended; never {@link ReleaseOutcome#ALREADY_RELEASED}
         * @param held the time from the grant to the end
         */
        default void ended(ReleaseOutcome outcome, Duration held) {}
    }
}
