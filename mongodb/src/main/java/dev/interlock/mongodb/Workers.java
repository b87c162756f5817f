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
    private static final int VERBS_PER_SWEEP = 64;
    private static final int DOCUMENTS_PER_SWEEP = 256;

    /** How long a document keeps its fence after all in it is over: longer than the clocks of two servers differ. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final List<SerialExecutor> executors = new ArrayList<>();
    private final Supplier<Documents> documents;
    private final AtomicLong verbs = new AtomicLong();
    private volatile String cursor = "";

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

    /** Refuses what comes and what still waits; a verb that runs ends by itself. */
    void close() {
        executors.forEach(SerialExecutor::close);
    }

    private <T> void run(Verb<T> verb, QueuedAnswer<T> answer) {
        if (!answer.begin()) {
            return;
        }
        try {
            answer.complete(verb.run(documents.get(), () -> check(answer)));
        } catch (Throwable e) {
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
        List<Document> next = open.page(cursor, DOCUMENTS_PER_SWEEP);
        for (Document document : next) {
            NameDocument name = Fields.millis(document, "seen") <= before ? Documents.anyName(document, before) : null;
            if (name != null && name.state().isIdle()) {
                open.remove(name);
            }
        }
        cursor = next.size() < DOCUMENTS_PER_SWEEP ? "" : Documents.after(next);
    }
}
