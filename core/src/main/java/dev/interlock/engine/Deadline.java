package dev.interlock.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The moment a lease ends here, readable without a lock. It can be moved as long as it has not passed; once one reader has seen it pass, nothing revives
 * it: a reader that finds it passed closes it by compare-and-set, so a renewal that is about to move it fails. Moments are positive.
 */
final class Deadline {

    /** The moment while it is open, its negative once it is closed. */
    private final AtomicLong nanos;

    Deadline(long nanos) {
        this.nanos = new AtomicLong(nanos);
    }

    /** Whether it has passed at {@code nowNanos}, or had for an earlier caller. */
    boolean passed(long nowNanos) {
        while (true) {
            long seen = nanos.get();
            if (seen < 0) {
                return true;
            }
            if (nowNanos < seen) {
                return false;
            }
            // Fails if a renewal won the race: then its deadline counts.
            if (nanos.compareAndSet(seen, -seen)) {
                return true;
            }
        }
    }

    /** Moves it, unless it has passed at {@code nowNanos}; never to an earlier moment. */
    boolean move(long toNanos, long nowNanos) {
        while (true) {
            long seen = nanos.get();
            if (seen < 0 || nowNanos >= seen) {
                return false;
            }
            // Fails if a reader closed it, or another renewal moved it: look again.
            if (nanos.compareAndSet(seen, Math.max(seen, toNanos))) {
                return true;
            }
        }
    }

    /** The moment, open or closed. */
    long nanos() {
        return Math.abs(nanos.get());
    }
}
