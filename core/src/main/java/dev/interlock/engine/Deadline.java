package dev.interlock.engine;

import dev.interlock.spi.Tether;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The moment a lease ends here, readable without a lock. It can be moved as long as it has not passed; once one reader
 * has seen it pass, nothing revives it: a reader that finds it passed closes it by compare-and-set, so a renewal that
 * is about to move it fails. Moments are positive. A tether that is over ends it before its moment.
 */
final class Deadline {

    /** The moment while it is open, its negative once it is closed. */
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

    /** Whether it has passed at {@code nowNanos}, or had for an earlier caller. */
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
                // Before it is closed: who finds it closed may ask for the cause.
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

    /** When the tether will be over if it is not renewed. */
    long tetherEndNanos(long nowNanos) {
        long left = tether.leftNanos();
        return left >= EngineClock.NEVER - nowNanos ? EngineClock.NEVER : nowNanos + Math.max(0, left);
    }

    /** Whether it was the tether that ended it. */
    boolean isCutOff() {
        return cutOff;
    }
}
