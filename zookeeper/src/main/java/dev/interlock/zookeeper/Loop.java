package dev.interlock.zookeeper;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of a store: verbs, answers, events and timers run on it one after the other, so that nothing of what
 * they share needs a lock. Nothing on it blocks. It starts with the first task and ends with the store.
 */
final class Loop {

    private final ScheduledThreadPoolExecutor executor;

    Loop() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "interlock-zookeeper");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs it soon; false if the store is closed. */
    boolean run(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs it then, unless the store is closed. */
    void later(Duration delay, Runnable task) {
        try {
            var unused = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The store is closed, and with it its session: nothing is left to do then.
        }
    }

    /** Ends the thread when what it does now is done. */
    void close() {
        executor.shutdownNow();
    }
}
