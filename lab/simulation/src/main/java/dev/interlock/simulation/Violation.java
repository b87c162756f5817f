package dev.interlock.simulation;

/**
 * Something that must not be.
 *
 * @param rule which rule it breaks
 * @param atNanos when that was seen
 * @param text what was seen
 */
record Violation(Rule rule, long atNanos, String text) {

    /** The rules, each with the invariant that it belongs to. */
    enum Rule {
        /** I1, I2: leases that exclude each other are never valid at one moment. */
        EXCLUSION,
        /** I3: no two leases have one token, and whoever comes later has the larger one. */
        TOKENS,
        /** I4: a holder is told of a loss, once, when its lease is over, and not later than the store gives it away. */
        TOLD,
        /** I4: without faults no lease is lost that is renewed. */
        KEPT,
        /** I5: every caller gets an outcome. */
        STUCK,
        /** I5: a name does not stay free while somebody waits, if nothing goes wrong. */
        WOKEN,
        /** I6: nothing is left in the store, nor in the process. */
        LEFT_BEHIND,
        /** I7: a call that is limited in time ends in time, and so does a release. */
        IN_TIME,
        /** I7: without faults nobody is told that the store is silent or has not confirmed. */
        SILENCE,
        /** I8: a lease ends by itself when its own time is over, and the outcome of a release is true. */
        OUTCOME,
        /** Nothing is thrown where it is not meant to be, or logged as an error. */
        ERROR,
        /** A run comes to rest. */
        ENDLESS
    }
}
