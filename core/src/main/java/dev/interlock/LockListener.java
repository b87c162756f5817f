package dev.interlock;

import java.time.Duration;

/**
 * Told what happens to the locks of a client: for metrics and logs. Called on the callback executor, after the fact and
 * outside all locks; what it throws is logged and does no harm. Calls for one lock may overlap. Implement the methods
 * you need.
 */
public interface LockListener {

    /** The store is asked for a claim. */
    default void asked(String name, String owner) {}

    /** A caller has got a lease, after this wait. */
    default void acquired(String name, long token, Duration waited) {}

    /**
     * A caller has stopped waiting without a lease: its time was over, it was interrupted or cancelled, the client was
     * closed, or the store was silent.
     */
    default void gaveUp(String name, Duration waited) {}

    /** A claim has been renewed. */
    default void renewed(String name, String owner) {}

    /** A renewal has failed and will be tried again while the lease lasts. */
    default void renewalFailed(String name, String owner, Duration remaining) {}

    /**
     * A lease has been lost. Called once; if the holder releases it all the same {@link #released} is called, too, in
     * any order.
     */
    default void lost(String name, long token, LossCause cause) {}

    /**
     * A lease is over by the will of its holder, or of who closed the client: called once, with what the release found.
     * That may be that it had been lost, of which {@link #lost} tells too.
     */
    default void released(String name, long token, ReleaseOutcome outcome, Duration held) {}

    /** A lease has passed to the next caller in this process; the new token. */
    default void handedOver(String name, long token) {}
}
