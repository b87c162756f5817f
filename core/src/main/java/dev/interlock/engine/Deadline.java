package dev.interlock.engine;

import dev.interlock.spi.Tether;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The moment at which a lease ends here, readable without a lock. It can be moved until it has passed. Once one reader
 * has seen it pass, nothing revives it: that reader closes it by compare-and-set, so that a renewal which is about to
 * move it fails. Moments are positive. A tether that has ended ends it before its moment.
 */
final class Deadline {

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
