package dev.interlock.zookeeper.connection;

import dev.interlock.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ZooKeeperThread;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a store. Verbs, answers, events and timers run on it one after the other, so their shared state
 * needs no lock. Nothing on it blocks. The thread starts with the first task and ends with the store. Any thread may
 * call it.
 */
public final class EventLoop {

    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    /** The thread of ZooKeeper's client that delivered the last answer. */
    private volatile @Nullable Thread deliverer;

    /** A loop whose thread has not started yet. */
    public EventLoop() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread started = DaemonThreads.create("interlock-zookeeper", task);
            thread = started;
            return started;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task as soon as possible. Returns false if the store is closed. */
    public boolean run(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs a task with an answer, which this thread of ZooKeeper's client delivers; otherwise as {@link #run}. */
    boolean deliver(Runnable task) {
        Thread current = Thread.currentThread();
        if (deliverer != current) {
            deliverer = current;
        }
        return run(task);
    }

    /**
     * Whether the caller is on the thread that delivers the answers. Before the first answer every thread of a client
     * of ZooKeeper counts as that.
     */
    public boolean isDelivering() {
        Thread current = Thread.currentThread();
        Thread known = deliverer;
        return current == known || (known == null && current instanceof ZooKeeperThread);
    }

    /** Runs a task after a delay, unless the store is closed. */
    public void later(Duration delay, Runnable task) {
        try {
            var unused = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The store is closed, and with it its session, so nothing is left to be done.
        }
    }

    /** Whether the caller is on the loop. Once the store is closed, late answers may be delivered on other threads. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread || executor.isShutdown();
    }

    /** Ends the thread after its present task. */
    public void close() {
        executor.shutdownNow();
    }
}
