package dev.interlock.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Daemon threads for calls of the members that block: as many as there is to do at once, gone a moment later. */
final class Errands {

    private static final AtomicInteger CREATED = new AtomicInteger();

    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 100, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), Errands::thread);

    private Errands() {}

    /** Runs it at once on another thread. */
    static <T> CompletableFuture<T> run(Supplier<T> errand) {
        return CompletableFuture.supplyAsync(errand, THREADS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "interlock-group-" + CREATED.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
