package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Sleeps. */
final class Pause {

    private Pause() {}

    static void of(Duration time) {
        long endNanos = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
