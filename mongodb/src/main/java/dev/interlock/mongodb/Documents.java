package dev.interlock.mongodb;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoCommandException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The documents of all names, one each, and the requests that are made of them. Blocking; each is one command, but
 * where it says otherwise.
 *
 * <p>Nothing is decided by a read alone: what is written rests on the version that was read, which the server compares
 * in the command that writes.
 */
final class Documents {

    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
    private static final FindOneAndUpdateOptions UPSERT =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER).upsert(true);
    private static final char KIND_END = ':';

    /**
     * A document that was removed and made anew must not come to the version that somebody has read of the old one: it
     * begins anywhere below this.
     */
    private static final long FIRST_VERSIONS = 1L << 48;

    private final MongoCollection<Document> collection;
    private final ServerClock clock;
    private final ServerTime time;

    Documents(MongoCollection<Document> collection, ServerTime time, ServerClock clock) {
        this.collection = collection;
        this.time = time;
        this.clock = clock;
    }

    ServerClock clock() {
        return clock;
    }

    /**
     * Takes a name that is known to be free: it has a document, which has been granted before, and in it nobody holds
     * or waits. Returns the document; null if it is not so.
     */
    @Nullable
    Document take(Claim claim) {
        Bson update = Updates.combine(
                Updates.set("sole", claim.owner().value()),
                Updates.set("holders", List.of(Entry.unstamped(claim))),
                Updates.set("waiters", List.of()),
                Updates.set("turn", null),
                Updates.inc("version", 1L),
                Updates.inc("fence", 1L),
                Updates.currentDate("taken"));
        return told(collection.findOneAndUpdate(sole(claim.id(), Name.FREE), update, AFTER), "taken");
    }

    /**
     * Frees a name that this claim holds alone and that nobody waits for. Returns the document, in which the claim
     * still stands; null if it is not so.
     */
    @Nullable
    Document free(Claim claim) {
        Bson update = Updates.combine(
                Updates.set("sole", Name.FREE), Updates.inc("version", 1L), Updates.currentDate("seen"));
        Document alone = sole(claim.id(), claim.owner().value());
        return told(collection.findOneAndUpdate(alone, update, AFTER), "seen");
    }

    /**
     * Reads a document and has the server write its time into it; makes the document if it is missing. The version
     * stays: nothing else is changed.
     */
    Name stampOrMake(LockId id) {
        Bson update = Updates.combine(
                Updates.currentDate("seen"),
                // Not free to take yet: whoever is quicker than the one that makes it would count its fence from 0,
                // below those of a document that was removed.
                Updates.setOnInsert("sole", null),
                Updates.setOnInsert("version", ThreadLocalRandom.current().nextLong(FIRST_VERSIONS)),
                Updates.setOnInsert("fence", 0L));
        while (true) {
            try {
                Document stamped = collection.findOneAndUpdate(named(id), update, UPSERT);
                return name(id, Objects.requireNonNull(stamped, "an upsert returns a document"));
            } catch (MongoCommandException e) {
                // Two made it at the same time: the other one's is there now.
                if (ErrorCategory.fromErrorCode(e.getErrorCode()) != ErrorCategory.DUPLICATE_KEY) {
                    throw e;
                }
            }
        }
    }

    /** The same for a document that need not be there; null if it is not. */
    @Nullable
    Name stamp(LockId id) {
        Document stamped = collection.findOneAndUpdate(named(id), Updates.currentDate("seen"), AFTER);
        return stamped == null ? null : name(id, stamped);
    }

    /**
     * The same for several, in two commands; those that are not there are missing, and those that have what this
     * version does not know are empty.
     */
    Map<LockId, Optional<Name>> stamp(Collection<LockId> ids) {
        List<String> keys = ids.stream().map(Documents::key).toList();
        Bson filter = Filters.in("_id", keys);
        collection.updateMany(filter, Updates.currentDate("seen"));
        Map<String, Document> byKey = new HashMap<>();
        for (Document document : collection.find(filter)) {
            byKey.put(document.getString("_id"), document);
        }
        Map<LockId, Optional<Name>> names = new HashMap<>();
        for (LockId id : ids) {
            Document document = told(byKey.get(key(id)), "seen");
            if (document != null) {
                names.put(id, Optional.ofNullable(found(document, Fields.millis(document, "seen"))));
            }
        }
        return names;
    }

    /** Writes what has become of a name, if it is as it was read; whether it was. */
    boolean swap(Name name) {
        return collection.updateOne(asRead(name), update(name)).getMatchedCount() == 1;
    }

    /** The same for several, in one command; whether all were. */
    boolean swapAll(Collection<Name> names) {
        List<UpdateOneModel<Document>> writes = new ArrayList<>();
        for (Name name : names) {
            writes.add(new UpdateOneModel<>(asRead(name), update(name)));
        }
        BulkWriteResult result = collection.bulkWrite(writes, new BulkWriteOptions().ordered(false));
        return result.getMatchedCount() == writes.size();
    }

    /** Reads a document, as it is at this time of the server; null if it is not there. */
    @Nullable
    Name read(LockId id, long now) {
        Document document = collection.find(named(id)).first();
        return document == null ? null : Name.read(id, document, now);
    }

    /**
     * Reads the documents of a kind in the order of their names, from the first name that begins with the prefix, or
     * would come after those. To be closed.
     */
    MongoCursor<Document> from(LockKind kind, String prefix) {
        String first = kind.name() + KIND_END + prefix;
        return collection
                .find(new Document(
                        "_id", new Document("$gte", first).append("$lt", kind.name() + (char) (KIND_END + 1))))
                .sort(Sorts.ascending("_id"))
                .batchSize(100)
                .iterator();
    }

    /** The first documents after this key, in the order of the keys. */
    List<Document> after(String key, int limit) {
        return collection
                .find(Filters.gt("_id", key))
                .sort(Sorts.ascending("_id"))
                .limit(limit)
                .into(new ArrayList<>());
    }

    /** Removes a document, if it is as it was read. */
    void remove(Name name) {
        collection.deleteOne(asRead(name));
    }

    /** Asks for the server's time, in milliseconds. */
    long now() {
        long now = time.ask();
        clock.told(now);
        return now;
    }

    /**
     * Reads a document of any name; null if it is of none, or has what this version does not know: anybody may have
     * written it.
     */
    static @Nullable Name found(Document document, long now) {
        try {
            String key = Fields.text(document, "_id");
            int end = Math.max(0, key.indexOf(KIND_END));
            return Name.read(
                    new LockId(key.substring(end + 1), LockKind.valueOf(key.substring(0, end))), document, now);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return null;
        }
    }

    private Name name(LockId id, Document stamped) {
        told(stamped, "seen");
        return Name.read(id, stamped, Fields.millis(stamped, "seen"));
    }

    private @Nullable Document told(@Nullable Document answer, String moment) {
        if (answer != null) {
            clock.told(Fields.millis(answer, moment));
        }
        return answer;
    }

    private static String key(LockId id) {
        return id.kind().name() + KIND_END + id.name();
    }

    private static Document named(LockId id) {
        return new Document("_id", key(id));
    }

    private static Document sole(LockId id, String owner) {
        return named(id).append("sole", owner);
    }

    private static Document asRead(Name name) {
        return named(name.id).append("version", name.version());
    }

    private static Bson update(Name name) {
        return new Document("$set", name.fields());
    }

    /** How the server's time is asked for. */
    interface ServerTime {
        long ask();
    }
}
