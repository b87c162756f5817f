package dev.interlock;

/** Where a lease comes from. */
public enum LeaseOrigin {
    /** The store has granted a claim that the client requested for the caller. */
    STORE,
    /** The store has granted a claim that was waiting, by the very release of the one before it. */
    SUCCESSION,
    /** The client held the claim already: the lease was handed over inside the process, without the store. */
    HAND_OVER
}
