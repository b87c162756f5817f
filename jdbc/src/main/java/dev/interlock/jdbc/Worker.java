package dev.interlock.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The one thread that talks to the database, so that no caller ever blocks. It starts with the first verb and ends after {@value #IDLE_SECONDS} s without
 * one, or when the store is closed and what was asked before is answered. The {@link Database} belongs to the thread: it is made by it, used by nobody
 * else, and closed when it ends.
 */
final class Worker {

    /** Longer than the renewal period of a default lease, so that a held lock keeps its connection. */
    static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor executor;
    private final ThreadLocal<Database> database;
    private volatile boolean closed;

    Worker(Supplier<Database> databases) {
        this.database = ThreadLocal.withInitial(databases);
        this.executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newThread);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Runs the verb later, in the order of the calls; not if the answer has been cancelled by then. */
    <T> CompletableFuture<T> submit(Verb<T> verb) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> run(verb, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(closedException());
        }
        return answer;
    }

    /** Refuses what comes and what still waits; a verb that runs ends by itself. */
    void close() {
        closed = true;
        executor.shutdown();
    }

    private <T> void run(Verb<T> verb, CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return;
        }
        if (closed) {
            answer.completeExceptionally(closedException());
            return;
        }
        try {
            answer.complete(database.get().run(verb));
        } catch (Throwable e) {
            // Errors too: a driver that fails to load throws one, and an answer that never comes would look like a
            // silent store.
            answer.completeExceptionally(e);
            return;
        }
        database.get().tidy();
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } finally {
                        database.get().close();
                    }
                },
                "interlock-jdbc");
        thread.setDaemon(true);
        return thread;
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("The store is closed");
    }
}
