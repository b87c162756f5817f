package dev.interlock.mongodb;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoCommandException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The commands on the documents, one for each method unless it says otherwise. They block.
 *
 * <p>A read alone decides nothing: a write names the version that was read, which the server compares in the command
 * that writes.
 */
final class Documents {

    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
    private static final FindOneAndUpdateOptions UPSERT =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER).upsert(true);

    /**
     * The first version of a document is any number below this: a document that was removed and made anew does not come
     * to a version that somebody has read of the old one.
     */
    private static final long FIRST_VERSIONS = 1L << 48;

    private final MongoCollection<Document> collection;
    private final LongSupplier time;
    private volatile Reading last = new Reading(0, 0);

    /** The documents of this collection, on a server that is asked for its time by {@code time}. */
    Documents(MongoCollection<Document> collection, LongSupplier time) {
        this.collection = collection;
        this.time = time;
    }

    /**
     * Takes a name that is known to be free: it has a document that was granted before, and in which nobody holds or
     * waits. Returns the fence; 0 if it is not so.
     */
    long take(Claim claim) {
        Bson update = Updates.combine(
                Updates.set("sole", claim.owner().value()),
                Updates.set("holders", List.of(NameDocument.taking(claim))),
                Updates.set("waiters", List.of()),
                Updates.set("turn", null),
                Updates.inc("version", 1L),
                Updates.inc("fence", 1L),
                Updates.currentDate("taken"));
        Document taken =
                collection.findOneAndUpdate(named(claim.id()).append("sole", NameDocument.FREE), update, AFTER);
        if (taken == null) {
            return 0;
        }
        noted(Fields.millis(taken, "taken"));
        return Fields.number(taken, "fence");
    }

    /**
     * Frees a name that this claim holds alone and that nobody waits for. Returns whether its lease had not ended; null
     * if it is not alone.
     */
    @Nullable
    Boolean free(Claim claim) {
        Bson update = Updates.combine(
                Updates.set("sole", NameDocument.FREE), Updates.inc("version", 1L), Updates.currentDate("seen"));
        Document alone = named(claim.id()).append("sole", claim.owner().value());
        Document freed = collection.findOneAndUpdate(alone, update, AFTER);
        if (freed == null) {
            return null;
        }
        long now = seen(freed);
        Document holder = Fields.list(freed, "holders", Document.class).get(0);
        return NameDocument.holder(holder, freed).until() > now;
    }

    /** As {@link #stamp(LockId)}; makes the document if it is missing. */
    NameDocument stampOrMake(LockId id) {
        return Objects.requireNonNull(stamp(id, UPSERT), "an upsert returns a document");
    }

    /**
     * Reads a document and has the server write its time into it; null if it is not there. The version stays: nothing
     * else changes.
     */
    @Nullable
    NameDocument stamp(LockId id) {
        return stamp(id, AFTER);
    }

    private @Nullable NameDocument stamp(LockId id, FindOneAndUpdateOptions options) {
        Bson update = Updates.combine(
                Updates.currentDate("seen"),
                Updates.setOnInsert("sole", null),
                Updates.setOnInsert("version", ThreadLocalRandom.current().nextLong(FIRST_VERSIONS)),
                Updates.setOnInsert("fence", 0L));
        while (true) {
            try {
                Document stamped = collection.findOneAndUpdate(named(id), update, options);
                return stamped == null ? null : NameDocument.read(id, stamped, seen(stamped));
            } catch (MongoCommandException e) {
                // Two clients made it at the same time: that of the other one is there now.
                if (ErrorCategory.fromErrorCode(e.getErrorCode()) != ErrorCategory.DUPLICATE_KEY) {
                    throw e;
                }
            }
        }
    }

    /**
     * As {@link #stamp(LockId)}, for several in two commands. Documents that are not there are missing in the result;
     * those that this version cannot read are empty.
     */
    Map<LockId, Optional<NameDocument>> stamp(Collection<LockId> ids) {
        Bson filter = Filters.in(
                "_id", ids.stream().map(id -> key(id.kind(), id.name())).toList());
        collection.updateMany(filter, Updates.currentDate("seen"));
        Map<String, Document> byKey = new HashMap<>();
        for (Document document : collection.find(filter)) {
            byKey.put(key(document), document);
        }
        Map<LockId, Optional<NameDocument>> names = new HashMap<>();
        for (LockId id : ids) {
            Document document = byKey.get(key(id.kind(), id.name()));
            if (document != null) {
                names.put(id, Optional.ofNullable(anyName(document, seen(document))));
            }
        }
        return names;
    }

    /**
     * Writes the next state of a name, if the document is as it was read.
     *
     * @param woken the waiters that this wakes
     * @return whether it was
     */
    boolean swap(NameDocument read, NameState next, List<Waiter> woken) {
        return collection.updateOne(asRead(read), update(read, next, woken)).getMatchedCount() == 1;
    }

    /** As {@link #swap}, for several that wake nobody; whether all were as they were read. */
    boolean swapAll(Map<NameDocument, NameState> changes) {
        List<UpdateOneModel<Document>> writes = new ArrayList<>();
        changes.forEach((read, next) -> writes.add(new UpdateOneModel<>(asRead(read), update(read, next, List.of()))));
        BulkWriteResult result = collection.bulkWrite(writes, new BulkWriteOptions().ordered(false));
        return result.getMatchedCount() == writes.size();
    }

    /** Reads a document as it is at this time of the server; one that is not there is empty. */
    NameDocument read(LockId id, long now) {
        Document document = collection.find(named(id)).first();
        return NameDocument.read(id, document == null ? new Document() : document, now);
    }

    /** The first documents from this key on, in the order of the keys. */
    List<Document> page(String from, int limit) {
        return collection
                .find(Filters.gte("_id", from))
                .sort(Sorts.ascending("_id"))
                .limit(limit)
                .into(new ArrayList<>());
    }

    /** Where the page behind this one begins. */
    static String after(List<Document> page) {
        return key(page.get(page.size() - 1)) + '\0';
    }

    /** Removes a document if it is as it was read. */
    void remove(NameDocument read) {
        collection.deleteOne(asRead(read));
    }

    /** The server's time, in milliseconds. */
    long now() {
        return noted(time.getAsLong());
    }

    /**
     * The time that the server's clock shows at least, without a request; 0 if it is not known yet. It spares a poll a
     * write: nothing is granted, refused or ended by it.
     */
    long nowAtLeast() {
        Reading reading = last;
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - reading.nanos);
        return reading.millis == 0 ? 0 : reading.millis + passed;
    }

    private long noted(long millis) {
        last = new Reading(millis, System.nanoTime());
        return millis;
    }

    /** A time of the server, and when it was read here. */
    private record Reading(long millis, long nanos) {}

    /** Reads a document of any name; null if it is not one of a name, or this version cannot read it. */
    static @Nullable NameDocument anyName(Document document, long now) {
        LockId id = document.get("_id") instanceof String key ? id(key) : null;
        try {
            return id == null ? null : NameDocument.read(id, document, now);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** The name of the document with this key; null if it is none. */
    static @Nullable LockId id(String key) {
        String[] parts = key.split(":", 2);
        try {
            return new LockId(parts.length < 2 ? "" : parts[1], LockKind.valueOf(parts[0]));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The time that the server has just written into the document. */
    private long seen(Document stamped) {
        return noted(Fields.millis(stamped, "seen"));
    }

    static String key(LockKind kind, String name) {
        return kind.name() + ':' + name;
    }

    static String key(Document document) {
        return document.getString("_id");
    }

    private static Document named(LockId id) {
        return new Document("_id", key(id.kind(), id.name()));
    }

    private static Document asRead(NameDocument read) {
        return named(read.state().id()).append("version", read.version());
    }

    private static Bson update(NameDocument read, NameState next, List<Waiter> woken) {
        return new Document("$set", read.fields(next, woken));
    }
}
