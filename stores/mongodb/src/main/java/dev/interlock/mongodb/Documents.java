package dev.interlock.mongodb;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoCommandException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.rules.NameState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The commands on the documents, one for each method unless it says otherwise. They block.
 *
 * <p>A read alone decides nothing: a write names the version that was read, which the server compares in the command
 * that writes.
 *
 * <p>Others may have stored documents of any size and number. An answer stays as it came from the network until its
 * size is known, for an object of each field takes many times as much memory: a document of more than
 * {@value #MOST_BYTES} bytes is the trouble of its name alone, and several are read up to {@value #MOST_BYTES_TOGETHER}
 * bytes together.
 */
final class Documents {

    /** How large the fields of a document may be that is read: some 18,000 entries, more than a name gets. */
    static final int MOST_BYTES = 1 << 22;

    /** After how many bytes no further document is read in one command: ten thousand names as they usually are. */
    static final int MOST_BYTES_TOGETHER = 1 << 24;

    private static final DocumentCodec CODEC = new DocumentCodec();
    private static final Bson OF_NAME = Projections.include(NameDocument.FIELDS);
    private static final FindOneAndUpdateOptions AFTER = after(OF_NAME);
    private static final FindOneAndUpdateOptions UPSERT = after(OF_NAME).upsert(true);
    private static final FindOneAndUpdateOptions TAKEN = after(Projections.include("taken", "fence"));
    private static final FindOneAndUpdateOptions FREED =
            after(Projections.fields(Projections.include("seen", "taken", "fence"), Projections.slice("holders", 1)));

    /**
     * The first version of a document is any number below this: a document that was removed and made anew does not come
     * to a version that somebody has read of the old one.
     */
    private static final long FIRST_VERSIONS = 1L << 48;

    private final MongoCollection<Document> collection;
    private final MongoCollection<RawBsonDocument> raw;
    private final LongSupplier time;
    private final BooleanSupplier reached;
    private volatile Reading last = new Reading(0, 0);

    /**
     * The documents of this collection.
     *
     * @param time asks the server for its time
     * @param reached whether the driver has a server that writes
     */
    Documents(MongoCollection<Document> collection, LongSupplier time, BooleanSupplier reached) {
        this.collection = collection;
        this.raw = collection.withDocumentClass(RawBsonDocument.class);
        this.time = time;
        this.reached = reached;
    }

    /**
     * Makes sure that there is a server that writes, by a command that changes nothing, if the driver knows none. So a
     * command that fails because no server can be reached, or because the login is refused, is known not to have been
     * sent.
     */
    void reach() {
        if (!reached.getAsBoolean()) {
            now();
        }
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
                collection.findOneAndUpdate(counted(claim.id()).append("sole", NameDocument.FREE), update, TAKEN);
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
        Document alone = counted(claim.id()).append("sole", claim.owner().value());
        Document freed = collection.findOneAndUpdate(alone, update, FREED);
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
                RawBsonDocument stamped = raw.findOneAndUpdate(named(id), update, options);
                return stamped == null ? null : name(id, stamped);
            } catch (MongoCommandException e) {
                // Two clients made it at the same time: that of the other one is there now.
                if (ErrorCategory.fromErrorCode(e.getErrorCode()) != ErrorCategory.DUPLICATE_KEY) {
                    throw e;
                }
            }
        }
    }

    private NameDocument name(LockId id, RawBsonDocument stamped) {
        Document document = decoded(id, stamped);
        return NameDocument.read(id, document, seen(document));
    }

    /**
     * As {@link #stamp(LockId)}, for several in two commands, or for the first of them if all are too large together.
     */
    Stamped stamp(Collection<LockId> ids) {
        Bson filter = Filters.in(
                "_id", ids.stream().map(id -> key(id.kind(), id.name())).toList());
        collection.updateMany(filter, Updates.currentDate("seen"));
        Batch batch = read(raw.find(filter));
        Map<String, Found> byKey = new HashMap<>();
        batch.found().forEach(found -> byKey.put(found.key(), found));
        Map<LockId, Optional<NameDocument>> names = new HashMap<>();
        for (LockId id : ids) {
            Found found = byKey.get(key(id.kind(), id.name()));
            if (found != null) {
                Document document = found.document();
                names.put(id, Optional.ofNullable(document == null ? null : anyName(document, seen(document))));
            }
        }
        return new Stamped(names, batch.isWhole());
    }

    /**
     * Several names that were stamped.
     *
     * @param names those that were read; those that this version cannot read, or that are too large, are empty
     * @param isWhole whether what is missing is not there; else it may not have been read
     */
    record Stamped(Map<LockId, Optional<NameDocument>> names, boolean isWhole) {}

    /**
     * Writes the next state of a name, if the document is as it was read.
     *
     * @param woken the owners of the claims that this wakes
     * @return whether it was
     */
    boolean swap(NameDocument read, NameState next, List<OwnerId> woken) {
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
        RawBsonDocument found = raw.find(named(id)).projection(OF_NAME).first();
        return NameDocument.read(id, found == null ? new Document() : decoded(id, found), now);
    }

    /** The first documents from this key on, in the order of the keys. */
    Batch page(String from, int limit) {
        return page(Filters.gte("_id", from), limit);
    }

    /**
     * The first documents from this key on that begin so, without those of which the server knows that they are free.
     */
    Batch pageInUse(String prefix, String from, int limit) {
        return page(
                Filters.and(
                        Filters.gte("_id", from),
                        Filters.lt("_id", end(prefix)),
                        Filters.ne("sole", NameDocument.FREE)),
                limit);
    }

    /** The least key that is greater than all that begin so. Keys are ordered by their code points. */
    private static String end(String prefix) {
        int last = prefix.codePointBefore(prefix.length());
        String before = prefix.substring(0, prefix.length() - Character.charCount(last));
        if (last == Character.MAX_CODE_POINT) {
            return end(before);
        }
        return before
                + Character.toString(last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1);
    }

    private Batch page(Bson filter, int limit) {
        return read(raw.find(filter).sort(Sorts.ascending("_id")).limit(limit).batchSize(limit));
    }

    private static Batch read(FindIterable<RawBsonDocument> query) {
        List<Found> found = new ArrayList<>();
        long bytes = 0;
        try (MongoCursor<RawBsonDocument> cursor = query.projection(OF_NAME).iterator()) {
            // Asking for more than that would have the server send it.
            while (bytes < MOST_BYTES_TOGETHER) {
                if (!cursor.hasNext()) {
                    return new Batch(found, true);
                }
                RawBsonDocument next = cursor.next();
                bytes += size(next);
                boolean isRead = size(next) <= MOST_BYTES;
                found.add(new Found(next.getString("_id").getValue(), isRead ? next.decode(CODEC) : null));
            }
            return new Batch(found, false);
        }
    }

    /**
     * Documents that one command has found.
     *
     * @param isWhole whether there are no others; false also if it is not known
     */
    record Batch(List<Found> found, boolean isWhole) {

        /** Where the page behind this one begins. */
        String after() {
            return found.get(found.size() - 1).key() + '\0';
        }
    }

    /** A document with this key; null if it is too large to read. */
    record Found(String key, @Nullable Document document) {}

    private static Document decoded(LockId id, RawBsonDocument document) {
        if (size(document) > MOST_BYTES) {
            throw new StoreRefusal("The document of '" + id.printable() + "' is too large to read: bytes="
                    + size(document) + ", most=" + MOST_BYTES + "; remove it if nobody needs it");
        }
        return document.decode(CODEC);
    }

    private static int size(RawBsonDocument document) {
        return document.getByteBuffer().remaining();
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

    /**
     * The document of a name whose version the server can count on: at its end it refuses to, and a write begins anew.
     */
    private static Document counted(LockId id) {
        return named(id).append("version", new Document("$lt", Long.MAX_VALUE));
    }

    private static Document named(LockId id) {
        return new Document("_id", key(id.kind(), id.name()));
    }

    private static Document asRead(NameDocument read) {
        return named(read.state().id()).append("version", read.version());
    }

    private static Bson update(NameDocument read, NameState next, List<OwnerId> woken) {
        return new Document("$set", read.fields(next, woken));
    }

    private static FindOneAndUpdateOptions after(Bson projection) {
        return new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(projection);
    }
}
