package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.SerialExecutor;
import dev.interlock.support.VirtualThreads;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of a store one after the other, in the order of the calls, but for those that come first. They
 * run on the one thread of the worker, so that no caller has to block; or, while that thread is idle, on the thread of
 * a caller that blocks anyway and lends itself. Where a transaction locks the whole database, those that wait in line
 * share one, see {@link Batch}. The worker's thread starts with the first operation. It ends after {@link #IDLE}
 * without an operation, or when the store is closed and all earlier operations are answered.
 *
 * <p>The <em>session lock</em> guards the {@link SessionHolder} and everything in it. Its holder waits for nothing but
 * the sessions, and completes no answer that has dependents, since anything may follow from one. The session lock is
 * the only lock of this package. Only the worker's thread opens a connection or sweeps.
 */
final class Worker {

    /** Longer than the renewal period of a default lease, so that a held lock keeps its connection. */
    static final Duration IDLE = Duration.ofSeconds(30);

    /** Where others need the connection: long enough for a request that follows another one at once. */
    static final Duration IDLE_IN_POOL = Duration.ofMillis(250);

    private final SessionHolder sessions;
    private final SerialExecutor executor;
    private final Duration longestShared;
    private final ReentrantLock sessionLock = new ReentrantLock();

    /**
     * The operations for the worker's thread, in the order of the calls. Any thread adds to it; only that thread takes
     * from it. The executor has one task for each of them at least.
     */
    private final Queue<Request<?>> line = new ConcurrentLinkedQueue<>();

    /** Those that run before the ones in the line; used in the same way. */
    private final Queue<Request<?>> first = new ConcurrentLinkedQueue<>();

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
    Worker(SessionHolder sessions, Duration idle) {
        this(sessions, idle, Batch.LONG);
    }

    /** @param longestShared when a transaction that operations share takes no more of them */
    Worker(SessionHolder sessions, Duration idle, Duration longestShared) {
        this.sessions = sessions;
        this.longestShared = longestShared;
        this.keptNanos = idle.toNanos() / 3;
        this.executor = new SerialExecutor("interlock-jdbc", idle, this::closeSession);
    }

    /**
     * Runs the operation later, in the order of the calls, unless its answer is cancelled by then; or at once, on a
     * thread that is lent.
     */
    <T> QueuedAnswer<T> submit(Operation<T> operation) {
        return submit(operation, false, line);
    }

    /**
     * As {@link #submit}, for an operation that runs before all that wait already, and after others like it: a lease
     * ends when it is not renewed in time, however many callers want the store for theirs.
     */
    <T> QueuedAnswer<T> submitFirst(Operation<T> operation) {
        return submit(operation, false, first);
    }

    /**
     * As {@link #submit}, for a short operation that may share a transaction with others: it must leave the commit to
     * {@link Session#inTransaction}, and do nothing besides that would be wrong to do twice.
     */
    <T> QueuedAnswer<T> submitSharing(Operation<T> operation) {
        return submit(operation, true, line);
    }

    private <T> QueuedAnswer<T> submit(Operation<T> operation, boolean sharing, Queue<Request<?>> to) {
        QueuedAnswer<T> done = sessionLock.isHeldByCurrentThread() ? runOnLentThread(operation) : null;
        if (done != null) {
            return done;
        }
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        pending.incrementAndGet();
        to.add(new Request<>(operation, answer, sharing, executor::isClosed));
        if (!executor.execute(this::runNext)) {
            // It stays in the line of a store that is closed, where nobody runs it.
            answer.completeExceptionally(SerialExecutor.closedException());
        }
        return answer;
    }

    /**
     * Calls the supplier, which submits one operation. The operation runs on this thread if it can do so now, and in
     * time.
     */
    <T> T lend(Duration patience, Supplier<T> submitting) {
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

    /** Whether an operation need not connect. */
    boolean isConnected() {
        return sessions.isOpen();
    }

    /** Fails new operations and those that have not started; an operation that is running ends by itself. */
    void close() {
        executor.close();
    }

    /**
     * Waits until a closed worker and its listeners for wakes have given their connections back, or for {@code limit}.
     */
    void awaitConnections(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        executor.awaitEnd(limit);
        closeAll(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
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

    /**
     * Runs an operation that comes first, or else the requests at the head of the line; none if earlier calls have run
     * all.
     */
    private void runNext() {
        Request<?> urgent = first.poll();
        if (urgent != null) {
            runAlone(urgent);
            return;
        }
        Batch batch = new Batch(line, longestShared);
        if (batch.isWorthIt()) {
            run(() -> sessions.share(batch::run, batch::committed), batch::settled);
            batch.undone().forEach(this::runAlone);
        }
        if (batch.isEmpty()) {
            Request<?> next = line.poll();
            if (next != null) {
                runAlone(next);
            }
        }
    }

    /** A request that is alone is answered before the next one runs, which may have to wait for others. */
    private void runAlone(Request<?> request) {
        run(() -> request.runAlone(sessions), () -> List.of(request));
    }

    private void run(Runnable work, Supplier<List<Request<?>>> settled) {
        sessionLock.lock();
        try {
            work.run();
        } finally {
            pending.addAndGet(-settled.get().size());
            sessionLock.unlock();
        }
        settled.get().forEach(Request::tell);
        sweep();
    }

    /** Sweeps after an answer, which does not wait for it. */
    private void sweep() {
        sessionLock.lock();
        try {
            workedNanos = System.nanoTime();
            sessions.sweep();
            sessions.shareConnection();
        } finally {
            sessionLock.unlock();
        }
    }

    /** The listener for wakes may have outlived the thread. Who keeps the lock for longer closes all itself. */
    private void closeAll(Duration limit) {
        try {
            if (sessionLock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    sessions.close();
                } finally {
                    sessionLock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An operation that arrives at the last moment opens it again, on another thread. */
    private void closeSession() {
        sessionLock.lock();
        try {
            if (executor.isClosed()) {
                sessions.close();
            } else {
                sessions.rest();
            }
        } finally {
            sessionLock.unlock();
        }
    }
}
