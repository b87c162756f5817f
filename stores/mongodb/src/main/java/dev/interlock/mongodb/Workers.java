package dev.interlock.mongodb;

import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.bson.Document;

/**
 * The threads that talk to the server, so that no caller blocks. The verbs of one name run one after the other on the
 * same thread: a release never overtakes the acquire that it takes back.
 *
 * <p>After every {@value #VERBS_PER_SWEEP}th verb its thread sweeps: it removes those of the next
 * {@value #DOCUMENTS_PER_SWEEP} documents, round and round, that nobody has used for an hour. A verb makes one document
 * at most, so this outpaces any growth, and one sweep costs the same however many documents there are.
 */
final class Workers {

    /** Enough for the server to be busy while others wait for a majority. */
    static final int THREADS = 8;

    private static final Duration IDLE = Duration.ofSeconds(30);

    /** For how long the driver keeps a connection that is idle. */
    static final Duration KEPT_OPEN = Duration.ofMinutes(1);

    private static final int VERBS_PER_SWEEP = 64;
    private static final int DOCUMENTS_PER_SWEEP = 256;

    /** How long a document keeps its fence after all in it is over: longer than the clocks of two servers differ. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final List<SerialExecutor> executors = new ArrayList<>();
    private final SerialExecutor looks = new SerialExecutor("interlock-mongodb-list", IDLE, () -> {});
    private final Supplier<Documents> documents;
    private final AtomicLong verbs = new AtomicLong();
    private volatile String cursor = "";

    /** Whether the server has answered a verb, and when the last one ended; many threads write them. */
    private volatile boolean answered;

    private volatile long lastNanos;

    Workers(Supplier<Documents> documents) {
        this.documents = documents;
        for (int i = 0; i < THREADS; i++) {
            executors.add(new SerialExecutor("interlock-mongodb", IDLE, () -> {}));
        }
    }

    /** One verb, as a piece of blocking work. */
    interface Verb<T> {

        /**
         * Does it.
         *
         * @param wanted throws if nobody waits for the answer any more. To be run before each command that writes: a
         *     claim that was given up must not be made afterwards
         */
        T run(Documents documents, Runnable wanted);
    }

    /** Runs the verb after those of the same key that were submitted before, unless its answer is cancelled first. */
    <T> QueuedAnswer<T> submit(Object key, Verb<T> verb) {
        return executors.get(Math.floorMod(key.hashCode(), THREADS)).submit(answer -> run(verb, answer));
    }

    /** Runs a verb that may take long on a thread of its own, so that no lease is renewed late because of it. */
    <T> QueuedAnswer<T> look(Verb<T> verb) {
        return looks.submit(answer -> run(verb, answer));
    }

    /**
     * Whether a verb finds a connection: not before the first answer, nor after an idle time for which the driver keeps
     * none.
     */
    boolean isConnected() {
        return answered && System.nanoTime() - lastNanos < KEPT_OPEN.toNanos();
    }

    /** Refuses what comes and what still waits; a verb that runs ends by itself. */
    void close() {
        executors.forEach(SerialExecutor::close);
        looks.close();
    }

    private <T> void run(Verb<T> verb, QueuedAnswer<T> answer) {
        if (!answer.isWanted()) {
            return;
        }
        try {
            Documents open = documents.get();
            open.reach();
            // From here on the server may receive it: what fails before leaves nothing to take back.
            if (!answer.begin()) {
                return;
            }
            T result = verb.run(open, () -> check(answer));
            lastNanos = System.nanoTime();
            answered = true;
            answer.complete(result);
        } catch (Throwable e) {
            lastNanos = System.nanoTime();
            answer.completeExceptionally(Failures.explained(e));
            return;
        }
        if (verbs.incrementAndGet() % VERBS_PER_SWEEP == 0) {
            sweep();
        }
    }

    private static void check(QueuedAnswer<?> answer) {
        if (!answer.isWanted()) {
            throw new CancellationException("Nobody waits for the answer any more");
        }
    }

    /** After the answer, which does not wait for it, and whose outcome it does not change. */
    private void sweep() {
        try {
            Documents open = documents.get();
            sweep(open, open.nowAtLeast() - KEPT.toMillis());
        } catch (RuntimeException e) {
            // The documents can wait for the next sweep.
            Failures.LOG.log(System.Logger.Level.DEBUG, "Removing old documents failed", e);
        }
    }

    /** Looks at some documents and removes those in which all was over at that time of the server. */
    void sweep(Documents open, long before) {
        Documents.Batch next = open.page(cursor, DOCUMENTS_PER_SWEEP);
        for (Documents.Found found : next.found()) {
            Document document = found.document();
            if (document != null && Fields.millis(document, "seen") <= before) {
                NameDocument name = Documents.anyName(document, before);
                if (name != null && name.state().isIdle()) {
                    open.remove(name);
                }
            }
        }
        cursor = next.isWhole() && next.found().size() < DOCUMENTS_PER_SWEEP ? "" : next.after();
    }
}
