package dev.interlock.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The clock of a client: monotonic, injected, in nanoseconds. Thread-safe. */
final class EngineClock {

    /** A moment that never comes: there is no deadline, or nothing is due. */
    static final long NEVER = Long.MAX_VALUE;

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
}
