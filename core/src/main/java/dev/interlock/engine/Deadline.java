package dev.interlock.engine;

import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The moment at which a lease ends here, readable without a lock. It can be moved until it has passed. Once one reader
 * has seen it pass, nothing revives it: that reader closes it by compare-and-set, so that a renewal which is about to
 * move it fails. Moments are positive. A tether that has ended ends it before its moment.
 */
final class Deadline {

    /** Clocks of store and client may differ in speed by this share of the lease. */
    private static final long DRIFT_DIVISOR = 100;

    /** The margin for everything else between the store's clock and the caller's next instruction. */
    private static final long MARGIN_NANOS = Duration.ofMillis(2).toNanos();

    /** The moment while the deadline is open, its negative once it is closed. */
    private final AtomicLong nanos;

    private final Tether tether;
    private volatile boolean cutOff;

    Deadline(long nanos) {
        this(nanos, Tether.NONE);
    }

    Deadline(long nanos, Tether tether) {
        this.nanos = new AtomicLong(nanos);
        this.tether = tether;
    }

    /**
     * The end here of a lease whose request was sent at this moment. The lease cannot have ended in the store before:
     * the store counts from no earlier moment than that at which the request was sent. A share for the drift of the two
     * clocks, and a margin, are taken off.
     */
    static long endOf(long sentNanos, Duration lease) {
        long nanos = lease.toNanos();
        return sentNanos + nanos - nanos / DRIFT_DIVISOR - MARGIN_NANOS;
    }

    /** The inverse: the length to request now so that the lease ends here in {@code remainingNanos}. */
    static long lengthFor(long remainingNanos) {
        long withMargin = remainingNanos + MARGIN_NANOS;
        return withMargin + withMargin / (DRIFT_DIVISOR - 1) + 1;
    }

    /** Whether it has passed at {@code nowNanos}, or an earlier caller has seen it pass. */
    boolean passed(long nowNanos) {
        while (true) {
            long seen = nanos.get();
            if (seen < 0) {
                return true;
            }
            boolean over = nowNanos >= seen;
            if (!over && tether.leftNanos() > 0) {
                return false;
            }
            if (!over) {
                // Set before the deadline is closed: a reader that finds it closed may ask for the cause.
                cutOff = true;
            }
            // Fails if a renewal won the race: then its deadline counts.
            if (nanos.compareAndSet(seen, -Math.min(seen, nowNanos))) {
                return true;
            }
        }
    }

    /** Moves it, unless it has passed at {@code nowNanos}; never to an earlier moment. */
    boolean move(long toNanos, long nowNanos) {
        while (true) {
            if (passed(nowNanos)) {
                return false;
            }
            long seen = nanos.get();
            // Fails if a reader closed it, or another renewal moved it: look again.
            if (seen > 0 && nanos.compareAndSet(seen, Math.max(seen, toNanos))) {
                return true;
            }
        }
    }

    /** The moment, open or closed; a tether may end it before. */
    long nanos() {
        return Math.abs(nanos.get());
    }

    /** When the tether ends unless it is renewed. */
    long tetherEndNanos(long nowNanos) {
        long left = tether.leftNanos();
        return left >= EngineClock.NEVER - nowNanos ? EngineClock.NEVER : nowNanos + Math.max(0, left);
    }

    /** Whether the tether has ended it. */
    boolean isCutOff() {
        return cutOff;
    }
}
