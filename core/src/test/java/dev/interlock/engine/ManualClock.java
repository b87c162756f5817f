package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that only a test moves. Thread-safe. */
final class ManualClock implements LongSupplier {

    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    void advanceNanos(long time) {
        nanos.addAndGet(time);
    }
}
