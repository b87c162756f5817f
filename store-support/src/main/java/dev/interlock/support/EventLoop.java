package dev.interlock.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a store. Verbs, answers, events and timers run on it one after the other, so their shared state
 * needs no lock. Nothing on it blocks. The thread starts with the first task and ends with the store. Any thread may
 * call it.
 */
public final class EventLoop {

    private final ScheduledThreadPoolExecutor executor;
    private final Predicate<Thread> isClients;
    private volatile @Nullable Thread thread;

    /** The thread of the store's client that delivered the last answer. */
    private volatile @Nullable Thread deliverer;

    /**
     * A loop whose thread has not started yet.
     *
     * @param threadName the name of the thread; begins with {@code interlock-}
     * @param isClients whether this is a thread of a client that may deliver answers
     */
    public EventLoop(String threadName, Predicate<Thread> isClients) {
        this.isClients = isClients;
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread started = DaemonThreads.create(threadName, task);
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

    /** Runs a task with an answer, which this thread of the store's client delivers; otherwise as {@link #run}. */
    public boolean deliver(Runnable task) {
        Thread current = Thread.currentThread();
        if (deliverer != current) {
            deliverer = current;
        }
        return run(task);
    }

    /**
     * Whether the caller is on the one thread that delivers the answers. Before the first answer every thread of a
     * client counts as that.
     */
    public boolean isDelivering() {
        Thread current = Thread.currentThread();
        Thread known = deliverer;
        return current == known || (known == null && isClients.test(current));
    }

    /** Runs a task after a delay, unless the store is closed, or the result is cancelled before. */
    public Future<?> later(Duration delay, Runnable task) {
        try {
            return executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The store is closed, and with it its session, so nothing is left to be done.
            return new CompletableFuture<>();
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
