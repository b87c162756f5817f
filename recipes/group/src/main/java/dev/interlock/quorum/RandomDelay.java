package dev.interlock.quorum;

import dev.interlock.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after random delays. Not on the common pool: an application may fill that with threads that wait for a
 * lock, and the task that frees the lock would be queued behind them.
 */
final class RandomDelay {

    private static final Executor THREADS = DaemonThreads.pool("interlock-quorum");

    private RandomDelay() {}

    /** An executor that delays each task by a random time, from half of this duration to all of it. */
    static Executor upTo(Duration max) {
        long nanos = ThreadLocalRandom.current().nextLong(max.toNanos() / 2, max.toNanos() + 1);
        return CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, THREADS);
    }
}
