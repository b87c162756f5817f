package dev.interlock;

/** The reason why a lease ended before it was released. */
public enum LossCause {
    /** The lease had a fixed length, or a maximum hold, which is over. */
    EXPIRED,
    /**
     * This process, or its renewal, did not run from one renewal to the deadline: a long garbage collection, a stopped
     * process, a suspended machine.
     */
    PAUSED,
    /** Another client's claim stands in the place of this one. */
    TAKEN,
    /** The claim is gone from the store: it was deleted by hand, evicted, or forgotten in a failover. */
    DELETED,
    /** Somebody ended the claim by {@link LockAdministration#forceUnlock}. */
    FORCED,
    /** The store answered no renewal, or the release of a renewed lease, until the deadline. */
    STORE_UNREACHABLE,
    /** The session that the claim was bound to has ended. Only in stores that have sessions. */
    SESSION_LOST
}
