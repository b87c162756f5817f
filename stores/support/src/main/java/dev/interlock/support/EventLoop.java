package dev.interlock.support;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a store. Verbs, answers, events and timers run one after the other, in the order in which they come, so
 * their shared state needs no lock. Nothing that runs here blocks. They run on a thread of the loop, which starts with
 * the first task and ends with the store; those that nothing is before may run on the thread that brings them, see
 * {@link #runHere}. Any thread may call it.
 *
 * <p>A counter says how many tasks run or wait. Whoever raises it from 0 has the turn, runs one task, and lowers it; if
 * it is not 0 then, the thread of the loop has the next turn. So tasks see what those before them wrote, and no lock is
 * held while one runs. Once the store is closed, whoever has the turn runs what came before the end.
 */
public final class EventLoop {

    private final ScheduledThreadPoolExecutor executor;
    private final Predicate<Thread> isClients;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** How many tasks run or wait. */
    private final AtomicInteger tasks = new AtomicInteger();

    /** The thread that runs a task; null if none does. */
    private volatile @Nullable Thread runner;

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
        executor = new ScheduledThreadPoolExecutor(1, task -> DaemonThreads.create(threadName, task));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task as soon as possible, on the thread of the loop. Returns false if the store is closed. */
    public boolean run(Runnable task) {
        if (executor.isShutdown()) {
            return false;
        }
        waiting.add(task);
        if (tasks.getAndIncrement() == 0) {
            next();
        }
        return true;
    }

    /**
     * Runs a task at once on this thread if nothing else runs or waits, which saves a switch of threads; otherwise as
     * {@link #run}. So the caller runs no task but its own.
     */
    public boolean runHere(Runnable task) {
        if (executor.isShutdown() || !tasks.compareAndSet(0, 1)) {
            return run(task);
        }
        take(task);
        return true;
    }

    /** Gives the next turn to the thread of the loop. */
    private void next() {
        try {
            executor.execute(() -> take(waiting.remove()));
        } catch (RejectedExecutionException e) {
            runOut();
        }
    }

    /** Runs a task in this turn. */
    private void take(Runnable task) {
        try {
            turn(task);
        } finally {
            if (tasks.decrementAndGet() > 0) {
                next();
            }
        }
    }

    /** The loop has ended: nobody would be told of the tasks that wait, so they run in this turn. */
    private void runOut() {
        do {
            try {
                turn(waiting.remove());
            } catch (Throwable e) {
                // As on the thread of the loop, it ends the turn and nothing else.
            }
        } while (tasks.decrementAndGet() > 0);
    }

    private void turn(Runnable task) {
        runner = Thread.currentThread();
        try {
            task.run();
        } finally {
            runner = null;
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

    /**
     * Runs a task after a delay, unless the store is closed, or the result is cancelled before. What is cancelled by a
     * task of this loop does not run any more, even if it waits for its turn already.
     */
    public Future<?> later(Duration delay, Runnable task) {
        Timer timer = new Timer(task);
        try {
            timer.entry = executor.schedule(() -> runHere(timer), delay.toNanos(), TimeUnit.NANOSECONDS);
            return timer;
        } catch (RejectedExecutionException e) {
            // The store is closed, and with it its session, so nothing is left to be done.
            return new CompletableFuture<>();
        }
    }

    /** Whether the store is closed: what came before still runs. */
    public boolean isClosed() {
        return executor.isShutdown();
    }

    /** Whether the caller runs a task. Once the store is closed, late answers may be delivered on other threads. */
    public boolean isCurrent() {
        return Thread.currentThread() == runner || executor.isShutdown();
    }

    /** Ends the thread after its present task, which calls this. */
    public void close() {
        executor.shutdownNow();
    }

    /** Runs its task once, unless it is cancelled before. */
    private static final class Timer extends FutureTask<Boolean> {

        private volatile @Nullable Future<?> entry;

        Timer(Runnable task) {
            super(task, true);
        }

        @Override
        public boolean cancel(boolean interrupts) {
            Future<?> scheduled = entry;
            if (scheduled != null) {
                scheduled.cancel(false);
            }
            return super.cancel(false);
        }
    }
}
