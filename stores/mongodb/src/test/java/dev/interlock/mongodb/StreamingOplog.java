package dev.interlock.mongodb;

import de.bwaldvogel.mongo.backend.AbstractCursor;
import de.bwaldvogel.mongo.backend.Cursor;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.aggregation.Aggregation;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.oplog.Oplog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Change streams for mongo-java-server, of updates only, in the form that MongoDB documents. Its own do not say what an
 * update has set, and wait a tenth of a second before each answer.
 */
final class StreamingOplog implements Oplog {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final CursorRegistry cursors;

    /** Guarded by itself. */
    private final List<Document> changes = new ArrayList<>();

    private final List<Cursor> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile @Nullable MongoServerError refusal;

    StreamingOplog(CursorRegistry cursors) {
        this.cursors = cursors;
    }

    /** From now on whoever asks for a stream gets this error; null if nobody does any more. */
    void refuse(@Nullable MongoServerError error) {
        refusal = error;
    }

    /** How often a stream has been asked for. */
    int asked() {
        return asked.get();
    }

    /** How many streams have been opened. */
    int opened() {
        return open.size();
    }

    /** How many streams are open. */
    int openNow() {
        return cursors.size();
    }

    /** Forgets the streams that are open, as a server that has stepped down. */
    void forgetStreams() {
        open.forEach(cursors::remove);
    }

    @Override
    public void handleInsert(String namespace, List<Document> documents) {}

    @Override
    public void handleUpdate(String namespace, Document selector, Document update, List<Object> ids) {
        if (update.get("$set") instanceof Document set) {
            synchronized (changes) {
                ids.forEach(id -> changes.add(change(changes.size() + 1, id, set)));
            }
        }
    }

    private static Document change(int position, Object id, Document set) {
        return new Document("_id", new Document("_data", Integer.toHexString(position)))
                .append("operationType", "update")
                .append("documentKey", new Document("_id", id))
                .append("updateDescription", new Document("updatedFields", set).append("removedFields", List.of()));
    }

    private int position() {
        synchronized (changes) {
            return changes.size();
        }
    }

    private List<Document> after(int position) {
        synchronized (changes) {
            return List.copyOf(changes.subList(position, changes.size()));
        }
    }

    @Override
    public void handleDelete(String namespace, Document query, List<Object> ids) {}

    @Override
    public void handleDropCollection(String namespace) {}

    @Override
    public Cursor createCursor(Document stream, String namespace, Aggregation aggregation) {
        asked.incrementAndGet();
        MongoServerError error = refusal;
        if (error != null) {
            throw error;
        }
        Object resumed = stream.get("resumeAfter");
        int position = resumed instanceof Document token
                ? Integer.parseInt(String.valueOf(token.get("_data")), 16)
                : position();
        Cursor cursor = new Stream(cursors.generateCursorId(), aggregation, position);
        cursors.add(cursor);
        open.add(cursor);
        return cursor;
    }

    private final class Stream extends AbstractCursor {
        private final Aggregation aggregation;
        private int position;

        Stream(long id, Aggregation aggregation, int position) {
            super(id);
            this.aggregation = aggregation;
            this.position = position;
        }

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public List<Document> takeDocuments(int most) {
            List<Document> fresh = after(position);
            position += fresh.size();
            List<Document> taken = aggregation.runStages(fresh.stream());
            if (taken.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return taken;
        }
    }
}
