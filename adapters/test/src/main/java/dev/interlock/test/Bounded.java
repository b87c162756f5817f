package dev.interlock.test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits that end: a test that waits for what does not come is told so, and does not hang. */
final class Bounded {

    /** Far longer than what is waited for takes on a busy machine. */
    static final Duration LIMIT = Duration.ofSeconds(20);

    /** A thread that ends notifies nobody. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private Bounded() {}

    /** Runs this on a thread of its own, which may wait. */
    static void onAThread(Runnable task) {
        Thread thread = new Thread(task, "interlock-test");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits on this monitor, which the caller holds, and which is notified of changes. An interrupt is kept for later:
     * the loss of a lock may interrupt the very thread that brings it about.
     *
     * @return whether the condition is met
     */
    static boolean await(Object monitor, Duration limit, BooleanSupplier condition) {
        long until = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() - until < 0) {
            try {
                TimeUnit.MILLISECONDS.timedWait(monitor, LOOK.toMillis());
            } catch (InterruptedException e) {
                interrupted = true;
            }
            met = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return met;
    }
}
