package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.QueuedAnswer;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does the verbs of a store one after the other, in the order of the calls: on its one thread, so that no caller has to
 * block; or, while that has nothing to do, on the thread of a caller that blocks anyway and lends it. The thread starts
 * with the first verb and ends after {@link #IDLE} without one, or when the store is closed and what was asked before
 * is answered.
 *
 * <p>Whoever has the turn has the {@link SessionHolder}. With the turn nothing else is waited for, and no answer is
 * given that somebody may depend on: anything may follow from one. A connection is opened, and old rows are removed, by
 * the worker's thread only.
 */
public final class Worker {

    /** Longer than the renewal period of a default lease, so that a held lock keeps its connection. */
    public static final Duration IDLE = Duration.ofSeconds(30);

    private final SessionHolder database;
    private final ThreadPoolExecutor executor;
    private final ReentrantLock turn = new ReentrantLock();

    /** The verbs that are for the worker's thread and not yet done. */
    private final AtomicInteger pending = new AtomicInteger();

    /**
     * After so long without a verb of its own the thread is given something to do by a verb on a lent one, or it would
     * end, and the connection with it.
     */
    private final long keptNanos;

    /** When the worker's thread last had something to do; guarded by the turn. */
    private long workedNanos;

    private volatile boolean closed;

    public Worker(SessionHolder database, Duration idle) {
        this.database = database;
        this.keptNanos = idle.toNanos() / 3;
        this.executor = new ThreadPoolExecutor(
                1, 1, idle.toNanos(), TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), this::newThread);
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs the verb later, in the order of the calls, and not if the answer has been cancelled by then; or at once, on
     * a thread that is lent.
     */
    public <T> QueuedAnswer<T> submit(Operation<T> verb) {
        QueuedAnswer<T> done = turn.isHeldByCurrentThread() ? doneAtOnce(verb) : null;
        if (done != null) {
            return done;
        }
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        pending.incrementAndGet();
        try {
            executor.execute(() -> run(verb, answer));
        } catch (RejectedExecutionException e) {
            pending.decrementAndGet();
            answer.completeExceptionally(closedException());
        }
        return answer;
    }

    /**
     * PendingWakes {@code asking}, which submits one verb. That is done on this thread, if it can be done now and in
     * time.
     */
    public <T> T lend(Duration patience, Supplier<T> asking) {
        boolean lendable = patience.toMillis() >= WaitLimits.NETWORK_MS && !VirtualThreads.isCurrent();
        if (!lendable || !turn.tryLock()) {
            return asking.get();
        }
        try {
            // What this thread has asked before is among the pending, and comes first.
            if (pending.get() == 0 && !closed && database.mayBeLent()) {
                return asking.get();
            }
        } finally {
            turn.unlock();
        }
        return asking.get();
    }

    /** Refuses what comes and what still waits; a verb that runs ends by itself. */
    public void close() {
        closed = true;
        executor.shutdown();
    }

    /**
     * With the turn, on a lent thread; null if others write, and nothing was done: the worker's thread has the patience
     * for that.
     */
    private <T> @Nullable QueuedAnswer<T> doneAtOnce(Operation<T> verb) {
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        answer.begin();
        try {
            T result = database.runUnlessBusy(verb);
            if (result == null) {
                return null;
            }
            answer.complete(result);
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
        if (database.isUntidy() || System.nanoTime() - workedNanos > keptNanos) {
            wake();
        }
        return answer;
    }

    private void wake() {
        try {
            executor.execute(this::tidy);
        } catch (RejectedExecutionException e) {
            // The store is closed: the rows are for others to remove, and the connection is about to go.
        }
    }

    private <T> void run(Operation<T> verb, QueuedAnswer<T> answer) {
        Runnable outcome = () -> {};
        turn.lock();
        try {
            if (answer.isWanted()) {
                outcome = outcome(verb, answer);
            }
        } finally {
            pending.decrementAndGet();
            turn.unlock();
        }
        outcome.run();
        tidy();
    }

    /** With the turn: does the verb, and returns what tells of it. */
    private <T> Runnable outcome(Operation<T> verb, QueuedAnswer<T> answer) {
        if (closed) {
            return () -> answer.completeExceptionally(closedException());
        }
        try {
            T result = database.run(verb, () -> !closed && answer.begin());
            return result == null
                    ? () -> answer.completeExceptionally(closedException())
                    : () -> answer.complete(result);
        } catch (Throwable e) {
            // Errors too: a driver that fails to load throws one, and an answer that never comes would look like a
            // silent store.
            return () -> answer.completeExceptionally(e);
        }
    }

    /** After an answer, which does not wait for it. */
    private void tidy() {
        turn.lock();
        try {
            workedNanos = System.nanoTime();
            database.tidy();
        } finally {
            turn.unlock();
        }
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } finally {
                        closeDatabase();
                    }
                },
                "interlock-jdbc");
        thread.setDaemon(true);
        return thread;
    }

    /** A verb that came at the last moment opens it again, on another thread. */
    private void closeDatabase() {
        turn.lock();
        try {
            database.close();
        } finally {
            turn.unlock();
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("The store is closed");
    }
}
