package dev.interlock.quorum;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Daemon threads for what is to be done a while later, gone a moment after it. Not the common pool: an application may
 * fill that with threads that wait for a lock, and what frees the lock would stand behind them.
 */
final class Later {

    private static final AtomicInteger CREATED = new AtomicInteger();

    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 100, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), Later::thread);

    private Later() {}

    /** Runs a task after a while of random length, at most so long. */
    static Executor soon(Duration most) {
        long nanos = ThreadLocalRandom.current().nextLong(most.toNanos() / 2, most.toNanos() + 1);
        return CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, THREADS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "interlock-quorum-" + CREATED.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
