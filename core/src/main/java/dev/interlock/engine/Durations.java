package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Converts waits of any length to nanoseconds without overflow. */
final class Durations {

    /** A longer wait is as good as for ever. Safe to add to a clock. */
    private static final long MOST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration MOST = Duration.ofNanos(MOST_NANOS);

    private Durations() {}

    /** The nanoseconds of a wait: 0 for a negative one, a very long time for a longer one. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(MOST) >= 0 ? MOST_NANOS : wait.toNanos();
    }

    static Duration of(long time, TimeUnit unit) {
        return Duration.ofNanos(Math.max(0, Math.min(MOST_NANOS, unit.toNanos(time))));
    }
}
