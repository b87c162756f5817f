package dev.interlock.spi;

/**
 * A limit of a granted claim besides its lease: for example a session of the store's client, with whose end the store
 * ends all its claims. Leases on the claim end with their own time or with the tether, whichever comes first.
 * Thread-safe, and without I/O, since every check of a lease reads it.
 */
@FunctionalInterface
public interface Tether {

    /** The tether of a claim that has no limit but its lease. */
    Tether NONE = () -> Long.MAX_VALUE;

    /**
     * For how long from now the store keeps the claim for certain, in nanoseconds by the monotonic clock of this
     * process; 0 or less if no longer. It may grow again as long as it has not been 0 or less: once over it is over for
     * good.
     */
    long leftNanos();

    /**
     * For how long a sign of life makes it last, in nanoseconds, before any margin is taken off; the same at each call
     * for one claim. A lock delay may be half of it. By default {@link #leftNanos()}, as of a tether that nothing
     * renews.
     */
    default long lengthNanos() {
        return leftNanos();
    }
}
