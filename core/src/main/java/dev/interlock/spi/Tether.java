package dev.interlock.spi;

/**
 * What a granted claim hangs on besides its lease: a session of the store's client, for example, with which the store
 * ends all claims at once. Leases on the claim end when their own time is over or when this says so, whichever comes
 * first. Thread-safe, and read on every look at a lease: no I/O.
 */
@FunctionalInterface
public interface Tether {

    /** Of a claim that hangs on nothing but its lease. */
    Tether NONE = () -> Long.MAX_VALUE;

    /**
     * For how long from now the store keeps the claim for certain, in nanoseconds by the monotonic clock of this
     * process; 0 or less if no longer. It may grow again as long as it has not been 0 or less: once over it is over for
     * good.
     */
    long leftNanos();
}
