package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that only a test moves. Thread-safe. */
final class ManualClock implements LongSupplier {

    private final AtomicLong nanos = new AtomicLong();
    private volatile Runnable beforeReading = () -> {};

    /** From now on every thread does this before it is told the time. */
    void beforeReading(Runnable event) {
        beforeReading = event;
    }

    @Override
    public long getAsLong() {
        beforeReading.run();
        return nanos.get();
    }

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    void advanceNanos(long time) {
        nanos.addAndGet(time);
    }
}
