package dev.interlock.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import dev.interlock.support.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The change stream that wakes the claims of a client: one for all of them, open while any of them waits and a moment
 * longer. It is a hint beside the polls: a claim that is woken polls less often, and its next poll finds what the
 * stream has missed. A deployment that has no streams, or slow ones, is found out once.
 *
 * <p>Thread-safe. A lock guards the beginning of a stream and the end of all; nothing is called under it.
 */
final class Wakes {

    /** How long a stream stays when nobody waits any more: opening one costs as much as some polls. */
    static final Duration LINGER = Duration.ofSeconds(10);

    /** The time from the beginning of one stream to that of the next. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** How long the server keeps a request that finds no change; so long the end of a stream may take. */
    private static final long WAIT_MILLIS = 1_000;

    /** The label of an error that another attempt may not meet. */
    private static final String RESUMABLE = "ResumableChangeStreamError";

    /** The place in a change that says who is woken: a field that the update has set. */
    private static final String OWNERS =
            "updateDescription.updatedFields." + NameDocument.WOKEN + '.' + NameDocument.OWNERS;

    private final Supplier<@Nullable MongoCollection<Document>> collection;
    private final long lingerNanos;
    private final Set<Wake> waiting = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Consumer<Wake> listener;
    private volatile @Nullable Stream stream;
    private volatile boolean refused;
    private volatile boolean closed;

    /** When a claim last asked and had to wait: each asks far more often than a stream lingers. */
    private volatile long neededNanos;

    /** Guarded by lock. */
    private long notBeforeNanos = System.nanoTime();

    /** Wakes by the changes of this collection, which is null if it cannot be watched. */
    Wakes(Supplier<@Nullable MongoCollection<Document>> collection, Duration linger) {
        this.collection = collection;
        this.lingerNanos = linger.toNanos();
    }

    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** The stream that wakes this claim from now on; null if none does. */
    @Nullable
    Stream streamFor(Claim claim) {
        Stream current = stream;
        boolean isFor = current != null
                && current.live
                && !closed
                && current.clientId.equals(claim.owner().clientId());
        return isFor ? current : null;
    }

    /** Begins a stream for a claim that waits. It is not waited for: the first who wait poll. */
    void waits(Claim claim) {
        if (listener == null || refused) {
            return;
        }
        waiting.add(new Wake.Changed(claim.id(), claim.owner()));
        neededNanos = System.nanoTime();
        if (isRunning()) {
            return;
        }
        lock.lock();
        try {
            if (!closed && !isRunning() && System.nanoTime() - notBeforeNanos >= 0) {
                notBeforeNanos = System.nanoTime() + PAUSE.toNanos();
                Stream next = new Stream(claim.owner().clientId());
                stream = next;
                next.thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Of a claim that was granted or released. Runs in order with its acquires. */
    void waitsNoMore(Claim claim) {
        waiting.remove(new Wake.Changed(claim.id(), claim.owner()));
    }

    private void wake(Wake wake) {
        Consumer<Wake> current = listener;
        if (current != null && !closed) {
            current.accept(wake);
        }
    }

    private boolean isRunning() {
        Stream current = stream;
        return current != null && current.thread.isAlive();
    }

    /** Ends the stream, without waiting for it. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** A thread that reads the change stream for one client, until nobody needs it, it breaks, or the store closes. */
    final class Stream {

        private final String clientId;
        private final Thread thread = DaemonThreads.create("interlock-mongodb-wakes", this::run);

        /** Whether the stream carries what is written from now on, if nothing breaks. */
        private volatile boolean live;

        Stream(String clientId) {
            this.clientId = clientId;
        }

        private void run() {
            try {
                MongoCollection<Document> watched = collection.get();
                if (watched == null) {
                    refuse();
                } else {
                    read(watched);
                }
            } catch (RuntimeException e) {
                Failures.LOG.log(System.Logger.Level.DEBUG, "The change stream ended: claims that wait poll", e);
            }
        }

        /** This deployment has no change streams for this user, and will have none. */
        private void refuse() {
            refused = true;
            waiting.clear();
            Failures.LOG.log(System.Logger.Level.DEBUG, "There are no change streams: claims that wait poll");
        }

        private void read(MongoCollection<Document> watched) {
            try (MongoCursor<BsonDocument> changes = open(watched)) {
                if (changes.getServerCursor() == null) {
                    // It was over at once: something that is not MongoDB answers so.
                    refuse();
                    return;
                }
                live = true;
                try {
                    while (!closed) {
                        BsonDocument change = changes.tryNext();
                        if (change != null) {
                            wake(change);
                        } else if (changes.getServerCursor() == null
                                || System.nanoTime() - neededNanos >= lingerNanos) {
                            return;
                        }
                    }
                } finally {
                    // Before the cursor is closed, which takes long if the server is silent.
                    live = false;
                    // It may have missed the last change: all who have relied on it ask now.
                    waiting.forEach(Wakes.this::wake);
                }
            }
        }

        private MongoCursor<BsonDocument> open(MongoCollection<Document> watched) {
            List<Bson> ofClient = List.of(
                    Aggregates.match(Filters.and(
                            Filters.eq("operationType", "update"),
                            Filters.regex(OWNERS, '^' + Pattern.quote(clientId + ':')))),
                    Aggregates.project(Projections.include(OWNERS, "documentKey")));
            try {
                return watched.watch(ofClient)
                        .maxAwaitTime(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                        .withDocumentClass(BsonDocument.class)
                        .iterator();
            } catch (MongoCommandException e) {
                if (!e.hasErrorLabel(RESUMABLE)) {
                    refuse();
                }
                throw e;
            }
        }

        /** Wakes the claims of this client, if the document is one of a name: anybody may have written it. */
        private void wake(BsonDocument change) {
            BsonValue key = at(change, "documentKey._id");
            LockId id = key.isString() ? Documents.id(key.asString().getValue()) : null;
            BsonValue owners = at(change, OWNERS);
            if (id == null || !owners.isArray()) {
                return;
            }
            for (BsonValue each : owners.asArray()) {
                OwnerId owner = new OwnerId(each.isString() ? each.asString().getValue() : "");
                if (owner.clientId().equals(clientId)) {
                    Wakes.this.wake(new Wake.Changed(id, owner));
                }
            }
        }

        private static BsonValue at(BsonDocument change, String path) {
            BsonValue at = change;
            for (String step : path.split("\\.", -1)) {
                at = at.isDocument() ? at.asDocument().get(step, BsonNull.VALUE) : BsonNull.VALUE;
            }
            return at;
        }
    }
}
