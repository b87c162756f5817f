package dev.interlock;

/** Why a lease ended before it was released. */
public enum LossCause {
    /** It had a fixed length, or a maximum hold, and that is over. */
    EXPIRED,
    /**
     * This process (or its renewal) did not run from one renewal to the deadline: a long collection, a stopped process,
     * a suspended machine.
     */
    PAUSED,
    /** Another client's claim stands in its place. */
    TAKEN,
    /** The claim is gone from the store: deleted by hand, evicted, or forgotten in a failover. */
    DELETED,
    /** Somebody called {@link DistributedLock#forceUnlock()} or {@link Interlock#forceUnlock(LockStatus)}. */
    FORCED,
    /** The store did not answer a renewal until the deadline. */
    STORE_UNREACHABLE,
    /** The session that the claim was bound to has ended; for stores that have sessions. */
    SESSION_LOST
}
