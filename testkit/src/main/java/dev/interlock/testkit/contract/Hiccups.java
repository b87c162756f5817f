package dev.interlock.testkit.contract;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this machine did not run a thread that was due: what a bound on elapsed time must leave out, so that a busy machine fails no test and
 * a slow lock does.
 */
final class Hiccups implements AutoCloseable {

    private static final long STEP_NANOS = 1_000_000;

    private final AtomicLong total = new AtomicLong();
    private final Thread thread = new Thread(this::measure, "hiccups");
    private volatile boolean closed;

    Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    /** All delays so far, together. */
    Duration total() {
        return Duration.ofNanos(total.get());
    }

    private void measure() {
        long before = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(STEP_NANOS);
            long now = System.nanoTime();
            // Timers are late by some 60 microseconds at rest.
            long late = now - before - 2 * STEP_NANOS;
            if (late > 0) {
                total.addAndGet(late);
            }
            before = now;
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
