package dev.interlock;

/** Where a lease comes from. */
public enum LeaseOrigin {
    /** The store has granted a claim that the client requested for the caller. */
    STORE,
    /** The client held the claim already: the lease was handed over inside the process, without the store. */
    HAND_OVER
}
