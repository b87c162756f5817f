package dev.interlock.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads the change stream of the collection for one client, from {@link #begin} to {@link #end}, until it
 * is of no more use or the stream breaks.
 */
final class Changes {

    /** How long the server keeps a request that finds no change; so long an end may take. */
    private static final long WAIT_MILLIS = 1_000;

    /** The label of an error that another attempt may not meet. */
    private static final String RESUMABLE = "ResumableChangeStreamError";

    private final Supplier<@Nullable MongoCollection<Document>> collection;
    private final String clientId;
    private final Hearer hearer;
    private final Thread thread;
    private volatile boolean live;
    private volatile boolean ended;

    /** Who is told of it, by its thread. */
    interface Hearer extends Consumer<String> {

        /** Hears whose turn it may be. */
        @Override
        void accept(String owner);

        /** Whether anybody waits, or has until a moment ago; asked when there is nothing to hear. */
        boolean isNeeded();

        /** This deployment has no change streams for this user, and will have none. */
        void refused();

        /** It hears nothing any more, and may have missed what was last. */
        void ended();
    }

    Changes(Supplier<@Nullable MongoCollection<Document>> collection, String clientId, Hearer hearer) {
        this.collection = collection;
        this.clientId = clientId;
        this.hearer = hearer;
        this.thread = new Thread(this::run, "interlock-mongodb-wakes");
        thread.setDaemon(true);
    }

    /** Whether what is written from now on will be heard of, if nothing breaks. */
    boolean isLive() {
        return live;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    boolean isOf(String otherClientId) {
        return clientId.equals(otherClientId);
    }

    void begin() {
        thread.start();
    }

    void end() {
        ended = true;
        live = false;
    }

    private void run() {
        try {
            MongoCollection<Document> changing = collection.get();
            if (changing == null) {
                hearer.refused();
            } else {
                hear(changing);
            }
        } catch (RuntimeException e) {
            Failures.LOG.log(System.Logger.Level.DEBUG, "The change stream ended: claims that wait poll", e);
        }
    }

    private void hear(MongoCollection<Document> changing) {
        try (MongoCursor<BsonDocument> changes = open(changing)) {
            if (changes.getServerCursor() == null) {
                // It was over at once: something that is not MongoDB answers so.
                hearer.refused();
            } else {
                hear(changes);
            }
        }
    }

    private void hear(MongoCursor<BsonDocument> changes) {
        live = !ended;
        try {
            read(changes);
        } finally {
            // Before it is closed, which takes long if the server is silent.
            boolean heard = live;
            live = false;
            if (heard) {
                hearer.ended();
            }
        }
    }

    private MongoCursor<BsonDocument> open(MongoCollection<Document> changing) {
        try {
            return changing.watch(Woken.pipeline(clientId))
                    .maxAwaitTime(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                    .withDocumentClass(BsonDocument.class)
                    .iterator();
        } catch (MongoCommandException e) {
            if (!e.hasErrorLabel(RESUMABLE)) {
                hearer.refused();
            }
            throw e;
        }
    }

    private void read(MongoCursor<BsonDocument> changes) {
        while (!ended) {
            BsonDocument change = changes.tryNext();
            if (change != null) {
                Woken.owners(change).forEach(hearer);
            } else if (changes.getServerCursor() == null || !hearer.isNeeded()) {
                return;
            }
        }
    }
}
