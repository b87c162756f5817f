package dev.interlock.mongodb;

import dev.interlock.spi.LockId;
import dev.interlock.spi.QueuedAnswer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads that talk to the server, so that no caller ever blocks. The verbs of one name run one after the other, on
 * the same thread: a release never overtakes the acquire that it takes back. A thread starts with the first verb and
 * ends after {@value #IDLE_SECONDS} s without one, or when the store is closed.
 */
final class Workers {

    /** Enough for the server to be busy while others wait for a majority. */
    static final int THREADS = 8;

    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor[] executors = new ThreadPoolExecutor[THREADS];
    private final Supplier<Documents> documents;
    private final Sweeper sweeper = new Sweeper();
    private volatile boolean closed;

    Workers(Supplier<Documents> documents) {
        this.documents = documents;
        for (int i = 0; i < THREADS; i++) {
            executors[i] = new ThreadPoolExecutor(
                    1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Workers::newThread);
            executors[i].allowCoreThreadTimeOut(true);
        }
    }

    /**
     * Runs the verb later, after those of the same name that were submitted before; not if the answer has been
     * cancelled by then.
     */
    <T> QueuedAnswer<T> submit(LockId id, Verb<T> verb) {
        return submit(id.hashCode(), verb);
    }

    /** Runs a verb later that is of no one name. */
    <T> QueuedAnswer<T> submit(int key, Verb<T> verb) {
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        try {
            executors[Math.floorMod(key, THREADS)].execute(() -> run(verb, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(closedException());
        }
        return answer;
    }

    /** Refuses what comes and what still waits; a verb that runs ends by itself. */
    void close() {
        closed = true;
        for (ThreadPoolExecutor executor : executors) {
            executor.shutdown();
        }
    }

    private <T> void run(Verb<T> verb, QueuedAnswer<T> answer) {
        if (!answer.begin()) {
            return;
        }
        if (closed) {
            answer.completeExceptionally(closedException());
            return;
        }
        try {
            answer.complete(verb.run(documents.get(), () -> check(answer)));
        } catch (Throwable e) {
            // Errors too: an answer that never comes would look like a silent server.
            answer.completeExceptionally(Failures.explained(e));
            return;
        }
        sweep();
    }

    private static void check(QueuedAnswer<?> answer) {
        if (!answer.isWanted()) {
            throw new CancellationException("Nobody waits for the answer any more");
        }
    }

    /** After the answer, which does not wait for it, and whose outcome it does not change. */
    private void sweep() {
        try {
            sweeper.step(documents.get());
        } catch (RuntimeException e) {
            // The documents can wait for the next sweep.
            Failures.LOG.log(System.Logger.Level.DEBUG, "Removing old documents failed", e);
        }
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "interlock-mongodb");
        thread.setDaemon(true);
        return thread;
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("The store is closed");
    }
}
