package dev.interlock.support;

import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs requests to a store one after the other, in the order of their submission, on one daemon thread, so that no
 * caller blocks. The thread starts with the first request and ends after an idle time or, once the executor is closed,
 * when all requests that were submitted before have been answered.
 *
 * <pre>
 *   open ----close()---> closed
 * </pre>
 *
 * An open executor accepts and runs requests. A closed one fails new requests, and those that have not started, with an
 * {@link IllegalStateException}; a request that is running ends by itself.
 *
 * <p>Thread-safe. The queue of the underlying executor orders the requests; a volatile flag, which never goes back, is
 * the only other state. Nothing is called under a lock.
 */
public final class SerialExecutor implements AutoCloseable {

    private final ThreadPoolExecutor executor;
    private volatile boolean closed;

    /** Those that have not done their last action yet: two, if one ends while a request arrives. */
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /**
     * An open executor, whose thread has not started.
     *
     * @param threadName the name of the thread; begins with {@code interlock-}
     * @param idle for how long the thread waits for another request before it ends; positive
     * @param onThreadEnd runs on the thread as its last action, to close what belongs to it. When a request arrives at
     *     that moment, the next thread may have begun by then, so this must exclude itself from requests
     */
    public SerialExecutor(String threadName, Duration idle, Runnable onThreadEnd) {
        executor = new ThreadPoolExecutor(
                1, 1, idle.toNanos(), TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = DaemonThreads.create(threadName, () -> {
                        try {
                            work.run();
                        } finally {
                            onThreadEnd.run();
                            threads.remove(Thread.currentThread());
                        }
                    });
                    threads.add(thread);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** A request to the store, which completes its answer, or throws. */
    public interface Request<T> {
        /**
         * Sends the request. Must call {@link QueuedAnswer#begin()} before the server can receive it, and return
         * without sending if that is false.
         */
        void run(QueuedAnswer<T> answer) throws Exception;
    }

    /**
     * Runs the request after those that were submitted before, unless it is cancelled or withdrawn first. The answer
     * fails with whatever the request throws.
     */
    public <T> QueuedAnswer<T> submit(Request<T> request) {
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        if (!execute(() -> run(request, answer))) {
            answer.completeExceptionally(closedException());
        }
        return answer;
    }

    /** Runs an action after the requests that were submitted before; false if the executor is closed. */
    public boolean execute(Runnable action) {
        try {
            executor.execute(action);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Whether {@link #close()} has been called. */
    public boolean isClosed() {
        return closed;
    }

    /** Refuses new requests, and those that have not started. Does not wait. */
    @Override
    public void close() {
        closed = true;
        executor.shutdown();
    }

    /**
     * Waits until the thread of a closed executor has done its last action, or for {@code limit}. An interrupt ends the
     * wait, and is kept. Does nothing on that thread itself.
     */
    public void awaitEnd(Duration limit) {
        if (threads.contains(Thread.currentThread())) {
            return;
        }
        long end = System.nanoTime() + limit.toNanos();
        try {
            // Before that a thread that a request has created may not have started, and could not be joined.
            boolean unused = executor.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
            for (Thread each : threads) {
                TimeUnit.NANOSECONDS.timedJoin(each, end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The failure of requests to a store that is closed. */
    public static IllegalStateException closedException() {
        return new StoreRefusal("The store is closed");
    }

    private <T> void run(Request<T> request, QueuedAnswer<T> answer) {
        if (!answer.isWanted()) {
            return;
        }
        if (closed) {
            answer.completeExceptionally(closedException());
            return;
        }
        try {
            request.run(answer);
        } catch (Throwable e) {
            // Errors, too: an answer that never completes would look like a server that is silent.
            answer.completeExceptionally(e);
        }
    }
}
