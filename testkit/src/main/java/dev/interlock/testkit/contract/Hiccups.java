package dev.interlock.testkit.contract;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this machine did not run a thread that was due: what a bound on elapsed time must leave out, so
 * that a busy machine fails no test and a slow lock does.
 */
final class Hiccups implements AutoCloseable {

    private static final long STEP_NANOS = 1_000_000;

    private final AtomicLong total = new AtomicLong();
    private volatile long beatNanos = System.nanoTime();
    private final Thread thread = new Thread(this::measure, "hiccups");
    private volatile boolean closed;

    Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    /** All delays so far, together. */
    Duration total() {
        long overdue = System.nanoTime() - beatNanos - 2 * STEP_NANOS;
        return Duration.ofNanos(total.get() + Math.max(0, overdue));
    }

    private void measure() {
        while (!closed) {
            LockSupport.parkNanos(STEP_NANOS);
            long now = System.nanoTime();
            // Timers are late by some 60 microseconds at rest.
            long late = now - beatNanos - 2 * STEP_NANOS;
            if (late > 0) {
                total.addAndGet(late);
            }
            beatNanos = now;
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
