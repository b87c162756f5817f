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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a client that wait, and the change stream that wakes them: one for all of them, open while any of them
 * waits and a moment longer. It is a hint beside the polls: a claim that is woken polls less often, and its next poll
 * finds what the stream has missed. A deployment that has no streams, or slow ones, is found out once.
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

    /** The place in a change where it says who is woken: among the fields that the update has set. */
    private static final List<String> PATH = List.of("updateDescription", "updatedFields", NameDocument.WOKEN);

    private final Supplier<@Nullable MongoCollection<Document>> collection;
    private final long lingerNanos;
    private final Map<OwnerId, Waiting> waiting = new ConcurrentHashMap<>();
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

    private record Waiting(LockId id, long askedNanos) {}

    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** The stream that wakes this claim from now on; null if none does. */
    @Nullable
    Stream streamFor(Claim claim) {
        Stream current = stream;
        boolean isFor = current != null
                && current.live
                && current.clientId.equals(claim.owner().clientId());
        return isFor ? current : null;
    }

    /** Notes that the claim may have to wait: before others can see it, and wake it. */
    void mayWait(Claim claim) {
        if (listener != null && !refused) {
            waiting.put(claim.owner(), new Waiting(claim.id(), System.nanoTime()));
        }
    }

    /** Begins a stream for a claim that waits. It is not waited for: the first who wait poll. */
    void waits(Claim claim) {
        if (listener == null || refused) {
            return;
        }
        neededNanos = System.nanoTime();
        Stream current = stream;
        if (current != null && current.thread.isAlive()) {
            return;
        }
        lock.lock();
        try {
            current = stream;
            boolean isAlive = current != null && current.thread.isAlive();
            if (!closed && !isAlive && System.nanoTime() - notBeforeNanos >= 0) {
                notBeforeNanos = System.nanoTime() + PAUSE.toNanos();
                forget();
                current = new Stream(claim.owner().clientId());
                stream = current;
                current.thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    void waitsNoMore(Claim claim) {
        waiting.remove(claim.owner());
    }

    /** Forgets claims that have not asked for long: an answer that came too late may have noted one. */
    private void forget() {
        long now = System.nanoTime();
        waiting.values().removeIf(each -> now - each.askedNanos > lingerNanos);
    }

    private void wake(OwnerId owner, Waiting woken) {
        Consumer<Wake> current = listener;
        if (current != null && !closed) {
            current.accept(new Wake(woken.id, owner));
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            Stream current = stream;
            if (current != null) {
                current.live = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread that reads the change stream for one client, until nobody needs it, the stream breaks, or all ends. */
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
                try {
                    live = true;
                    while (!closed) {
                        BsonDocument change = changes.tryNext();
                        if (change != null) {
                            wake(change);
                        } else if (changes.getServerCursor() == null || !isNeeded()) {
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
            try {
                return watched.watch(pipeline())
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

        /** The changes that wake claims of this client, with nothing but their owners. */
        private List<Bson> pipeline() {
            String owners = String.join(".", PATH) + '.' + NameDocument.OWNERS;
            return List.of(
                    Aggregates.match(Filters.and(
                            Filters.eq("operationType", "update"),
                            Filters.regex(owners, '^' + Pattern.quote(clientId + ':')))),
                    Aggregates.project(Projections.include(owners)));
        }

        private boolean isNeeded() {
            forget();
            return System.nanoTime() - neededNanos < lingerNanos;
        }

        private void wake(BsonDocument change) {
            BsonDocument at = change;
            for (String step : PATH) {
                at = at.get(step) instanceof BsonDocument next ? next : new BsonDocument();
            }
            List<BsonValue> owners = at.get(NameDocument.OWNERS) instanceof BsonArray array ? array : List.of();
            for (BsonValue value : owners) {
                OwnerId owner = new OwnerId(value instanceof BsonString text ? text.getValue() : "");
                Waiting woken = waiting.get(owner);
                if (woken != null) {
                    Wakes.this.wake(owner, woken);
                }
            }
        }
    }
}
