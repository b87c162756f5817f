package dev.interlock.election;

import java.time.Duration;

/**
 * How long a candidacy pauses before it stands again. One whose leaderships fail, or end by its own will as soon as
 * they have begun, pauses for longer each time: otherwise it would acquire and release the lock a thousand times a
 * second. A leadership that lasts, or that somebody else ends, starts afresh. Not thread-safe.
 */
final class Pauses {

    /** A leadership that lasts for so long is none that ends at once. */
    static final long LASTING_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long FIRST_BRIEF_NANOS = Duration.ofMillis(10).toNanos();
    private static final long FIRST_FAILED_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();

    /** The pause from which on it is worth a warning. */
    private static final long NOTABLE_NANOS = Duration.ofSeconds(1).toNanos();

    private long lastNanos;
    private boolean warned;

    /** A leadership has failed after this time; returns the pause. */
    long afterFailure(long ledNanos) {
        if (ledNanos >= LASTING_NANOS) {
            startAfresh();
        }
        return grow(FIRST_FAILED_NANOS);
    }

    /** The candidate has given the leadership up after this time; returns the pause. */
    long afterGivingUp(long ledNanos) {
        if (ledNanos >= LASTING_NANOS) {
            startAfresh();
            return 0;
        }
        return grow(FIRST_BRIEF_NANOS);
    }

    /** A leadership was lost, or ends with the candidacy. */
    void startAfresh() {
        lastNanos = 0;
        warned = false;
    }

    /** Whether to warn of the present pause: once, until it starts afresh. */
    boolean warns() {
        boolean first = !warned && lastNanos >= NOTABLE_NANOS;
        warned |= first;
        return first;
    }

    private long grow(long firstNanos) {
        lastNanos = Math.min(LONGEST_NANOS, Math.max(firstNanos, 2 * lastNanos));
        return lastNanos;
    }
}
