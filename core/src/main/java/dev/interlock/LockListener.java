package dev.interlock;

import java.time.Duration;

/**
 * Receives notifications of what happens to the locks of a client: for metrics and logs. The client calls it on the
 * callback executor, after the fact and outside all locks. If a method throws, the exception is logged and does no
 * harm. Calls for one lock may overlap and need not come in order. Implement the methods you need. A
 * {@link LockObserver} is cheaper, and learns more.
 */
public interface LockListener {

    /**
     * The client requests a claim from the store.
     *
     * @param name the name of the lock
     * @param owner the owner id of the claim
     */
    default void asked(String name, String owner) {}

    /**
     * A caller has got a lease, after waiting for {@code waited}.
     *
     * @param name the name of the lock
     * @param token the fencing token of the lease
     * @param waited how long the caller has waited
     */
    default void acquired(String name, long token, Duration waited) {}

    /**
     * A caller has stopped waiting without a lease: its time was over, it was interrupted or cancelled, the client was
     * closed, or the store was silent.
     *
     * @param name the name of the lock
     * @param waited how long the caller has waited
     */
    default void gaveUp(String name, Duration waited) {}

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

    /**
     * A lease has been lost. Called once. If the holder releases the lease nevertheless, {@link #released} is called,
     * too, in any order.
     *
     * @param name the name of the lock
     * @param token the fencing token of the lease
     * @param cause why the lease was lost
     */
    default void lost(String name, long token, LossCause cause) {}

    /**
     * A lease has ended because its holder released it or the client was closed. Called once, with what the release
     * found. If it found that the lease had been lost, {@link #lost} is called, too.
     *
     * @param name the name of the lock
     * @param token the fencing token of the lease
     * @param outcome what the release found
     * @param held how long the lease was held
     */
    default void released(String name, long token, ReleaseOutcome outcome, Duration held) {}

    /**
     * A lease has passed to the next caller in this process, with this new token.
     *
     * @param name the name of the lock
     * @param token the fencing token of the lease
     */
    default void handedOver(String name, long token) {}
}
