package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of a store one after the other, in the order of the calls. They run on the one thread of the
 * worker, so that no caller has to block; or, while that thread is idle, on the thread of a caller that blocks anyway
 * and lends itself. The worker's thread starts with the first operation. It ends after {@link #IDLE} without an
 * operation, or when the store is closed and all earlier operations are answered.
 *
 * <p>The <em>session lock</em> guards the {@link SessionHolder} and everything in it. Its holder waits for nothing but
 * the sessions, and completes no answer that has dependents, since anything may follow from one. The session lock is
 * the only lock of this package. Only the worker's thread opens a connection or sweeps.
 */
public final class Worker {

    /** Longer than the renewal period of a default lease, so that a held lock keeps its connection. */
    public static final Duration IDLE = Duration.ofSeconds(30);

    private final SessionHolder sessions;
    private final SerialExecutor executor;
    private final ReentrantLock sessionLock = new ReentrantLock();

    /** The operations for the worker's thread that are not done yet. */
    private final AtomicInteger pending = new AtomicInteger();

    /**
     * How long the worker's thread may be without an operation before a lent thread gives it something to do: otherwise
     * it would end, and the connection with it.
     */
    private final long keptNanos;

    /** When the worker's thread was last active; guarded by the session lock. */
    private long workedNanos;

    /** A worker whose thread ends after this idle time, and closes the session with it. */
    public Worker(SessionHolder sessions, Duration idle) {
        this.sessions = sessions;
        this.keptNanos = idle.toNanos() / 3;
        this.executor = new SerialExecutor("interlock-jdbc", idle, this::closeSession);
    }

    /**
     * Runs the operation later, in the order of the calls, unless its answer is cancelled by then; or at once, on a
     * thread that is lent.
     */
    public <T> QueuedAnswer<T> submit(Operation<T> operation) {
        QueuedAnswer<T> done = sessionLock.isHeldByCurrentThread() ? runOnLentThread(operation) : null;
        if (done != null) {
            return done;
        }
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        pending.incrementAndGet();
        if (!executor.execute(() -> run(operation, answer))) {
            pending.decrementAndGet();
            answer.completeExceptionally(SerialExecutor.closedException());
        }
        return answer;
    }

    /**
     * Calls the supplier, which submits one operation. The operation runs on this thread if it can do so now, and in
     * time.
     */
    public <T> T lend(Duration patience, Supplier<T> submitting) {
        boolean lendable = patience.toMillis() >= WaitLimits.NETWORK_MS && !VirtualThreads.isCurrent();
        if (!lendable || !sessionLock.tryLock()) {
            return submitting.get();
        }
        try {
            // Earlier operations of this thread are among the pending ones, and come first.
            if (pending.get() == 0 && !executor.isClosed() && sessions.canBeLent()) {
                return submitting.get();
            }
        } finally {
            sessionLock.unlock();
        }
        return submitting.get();
    }

    /** Fails new operations and those that have not started; an operation that is running ends by itself. */
    public void close() {
        executor.close();
    }

    /**
     * Waits until a closed worker and its listeners for wakes have given their connections back, or for {@code limit}.
     */
    public void awaitConnections(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        executor.awaitEnd(limit);
        sessions.awaitListeners(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }

    /**
     * Runs an operation on a lent thread, which has the session lock. Returns null if others are in the way, and
     * nothing was done: the worker's thread can wait for that.
     */
    private <T> @Nullable QueuedAnswer<T> runOnLentThread(Operation<T> operation) {
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        answer.begin();
        try {
            T result = sessions.runUnlessBusy(operation);
            if (result == null) {
                return null;
            }
            answer.complete(result);
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
        if (sessions.isSweepDue() || System.nanoTime() - workedNanos > keptNanos) {
            // Does nothing if the store is closed: others remove the rows, and the connection is about to go.
            executor.execute(this::sweep);
        }
        return answer;
    }

    private <T> void run(Operation<T> operation, QueuedAnswer<T> answer) {
        Runnable outcome = () -> {};
        sessionLock.lock();
        try {
            if (answer.isWanted()) {
                outcome = outcome(operation, answer);
            }
        } finally {
            pending.decrementAndGet();
            sessionLock.unlock();
        }
        outcome.run();
        sweep();
    }

    /** With the session lock: runs the operation, and returns how to complete its answer. */
    private <T> Runnable outcome(Operation<T> operation, QueuedAnswer<T> answer) {
        if (executor.isClosed()) {
            return () -> answer.completeExceptionally(SerialExecutor.closedException());
        }
        try {
            T result = sessions.run(operation, () -> !executor.isClosed() && answer.begin());
            return result == null
                    ? () -> answer.completeExceptionally(SerialExecutor.closedException())
                    : () -> answer.complete(result);
        } catch (Throwable e) {
            // Errors too: a driver that fails to load throws one, and an answer that never completes would look like a
            // silent store.
            return () -> answer.completeExceptionally(e);
        }
    }

    /** Sweeps after an answer, which does not wait for it. */
    private void sweep() {
        sessionLock.lock();
        try {
            workedNanos = System.nanoTime();
            sessions.sweep();
        } finally {
            sessionLock.unlock();
        }
    }

    /** An operation that arrives at the last moment opens it again, on another thread. */
    private void closeSession() {
        sessionLock.lock();
        try {
            sessions.close();
        } finally {
            sessionLock.unlock();
        }
    }
}
