package dev.interlock.engine;

import java.time.Duration;

/**
 * Computes when a lease ends here, so that it cannot have ended in the store before: the store counts from no earlier
 * moment than that at which the request was sent. A share for the drift of the two clocks, and a margin, are taken off.
 */
final class LeaseEnd {

    /** Clocks of store and client may differ in speed by this share of the lease. */
    private static final long DRIFT_DIVISOR = 100;

    /** The margin for everything else between the store's clock and the caller's next instruction. */
    private static final long MARGIN_NANOS = Duration.ofMillis(2).toNanos();

    private LeaseEnd() {}

    /** The end of a lease whose request was sent at this moment. */
    static long of(long sentNanos, Duration lease) {
        long nanos = lease.toNanos();
        return sentNanos + nanos - nanos / DRIFT_DIVISOR - MARGIN_NANOS;
    }

    /** The inverse: the length to request now so that the lease ends here in {@code remainingNanos}. */
    static long lengthNanos(long remainingNanos) {
        long withMargin = remainingNanos + MARGIN_NANOS;
        return withMargin + withMargin / (DRIFT_DIVISOR - 1) + 1;
    }
}
