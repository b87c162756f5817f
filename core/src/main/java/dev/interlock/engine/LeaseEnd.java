package dev.interlock.engine;

import java.time.Duration;

/**
 * When a lease ends here, so that it cannot have ended in the store before: the store counts from no earlier moment
 * than that at which the request was sent, and a share for the drift of two clocks is taken off, and a margin.
 */
final class LeaseEnd {

    /** Clocks of store and client may differ in speed by this share of the lease. */
    private static final long DRIFT_DIVISOR = 100;

    /** And this is for everything else between the store's clock and a caller's next instruction. */
    private static final long MARGIN_NANOS = Duration.ofMillis(2).toNanos();

    private LeaseEnd() {}

    /** When a lease ends here whose request was sent at this moment. */
    static long of(long sentNanos, Duration lease) {
        long nanos = lease.toNanos();
        return sentNanos + nanos - nanos / DRIFT_DIVISOR - MARGIN_NANOS;
    }

    /**
     * The inverse: what to ask for now, so that the lease ends here in {@code remainingNanos}. One that is only as long
     * in the store would have lost the share for drift, and the margin.
     */
    static long lengthNanos(long remainingNanos) {
        long withMargin = remainingNanos + MARGIN_NANOS;
        return withMargin + withMargin / (DRIFT_DIVISOR - 1) + 1;
    }
}
