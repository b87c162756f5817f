package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The clock of a client: monotonic, injected, in nanoseconds. Thread-safe. */
final class EngineClock {

    /** A moment that never comes: there is no deadline, or nothing is due. */
    static final long NEVER = Long.MAX_VALUE;

    /** A longer wait is as good as for ever. Safe to add to a moment. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final LongSupplier source;
    private final long origin;

    EngineClock(LongSupplier source) {
        this.source = source;
        this.origin = source.getAsLong() - TimeUnit.SECONDS.toNanos(1);
    }

    /** The present moment; positive. */
    long now() {
        return source.getAsLong() - origin;
    }

    /** The nanoseconds of a wait: 0 for a negative one, a very long time for a longer one. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(LONGEST) >= 0 ? LONGEST_NANOS : wait.toNanos();
    }
}
