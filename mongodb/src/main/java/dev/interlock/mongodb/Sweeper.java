package dev.interlock.mongodb;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;

/**
 * Removes the documents of names that nobody uses any more. Without any schedule: after every
 * {@value #VERBS_PER_SWEEP}th verb it looks at the next {@value #DOCUMENTS_PER_SWEEP} documents, round and round. So it
 * outpaces any growth, since a verb makes at most one document, and one sweep costs the same however many there are.
 */
final class Sweeper {

    private static final int VERBS_PER_SWEEP = 64;
    private static final int DOCUMENTS_PER_SWEEP = 256;

    private final AtomicLong verbs = new AtomicLong();
    private volatile String cursor = "";

    /** To be called after each verb. */
    void step(Documents documents) {
        if (verbs.incrementAndGet() % VERBS_PER_SWEEP == 0 && documents.clock().isKnown()) {
            sweep(documents, documents.clock().atLeast() - Timing.KEPT_MS);
        }
    }

    /** Looks at some documents and removes those in which all was over at that time of the server. */
    void sweep(Documents documents, long before) {
        List<Document> next = documents.after(cursor, DOCUMENTS_PER_SWEEP);
        for (Document document : next) {
            if (Fields.millis(document, "seen") <= before) {
                Name name = Documents.found(document, before);
                if (name != null && name.isIdle()) {
                    documents.remove(name);
                }
            }
        }
        boolean atEnd = next.size() < DOCUMENTS_PER_SWEEP;
        cursor = atEnd ? "" : next.get(next.size() - 1).getString("_id");
    }
}
