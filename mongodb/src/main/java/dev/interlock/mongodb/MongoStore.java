package dev.interlock.mongodb;

import com.mongodb.client.MongoClient;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Claims in a collection of MongoDB, one document for each name: every kind of lock.
 *
 * <p>A free lock is taken with one command and freed with one; anything else reads the document together with the
 * server's time, decides, and writes only if the document is still as it was read. Writes are acknowledged by a
 * majority of the replica set. Only the server's clock ends a lease.
 *
 * <p>On a replica set a change stream tells who waits of its turn. Elsewhere, and until it is there, a busy acquire
 * answers with a short time after which to ask again, the shorter the nearer the claim is to its turn.
 *
 * <p>It keeps up to {@value Workers#THREADS} threads, and one more for the change stream, which end when it is idle,
 * and uses as many connections.
 */
public final class MongoStore implements LockStore, LockCatalog {

    /** The collection if nothing else is said. */
    public static final String DEFAULT_COLLECTION = "interlock";

    private final Source source;
    private final Workers workers;
    private final Wakes wakes;

    private MongoStore(Source source) {
        this.source = source;
        this.workers = new Workers(source::documents);
        this.wakes = new Wakes(source::changing, Wakes.LINGER);
    }

    /**
     * A store in this database, in the collection {@value #DEFAULT_COLLECTION}, over a client that stays the caller's.
     */
    public static MongoStore over(MongoClient client, String database) {
        return over(client, database, DEFAULT_COLLECTION);
    }

    /**
     * A store in this database and this collection, over a client that stays the caller's. The collection is made by
     * the first verb if it is not there.
     *
     * @param database letters, digits, hyphens and underscores, at most 63
     * @param collection letters, digits, hyphens, underscores and dots, a letter or an underscore first, at most 100
     * @throws IllegalArgumentException if a name is not so
     */
    public static MongoStore over(MongoClient client, String database, String collection) {
        String checkedDatabase = Names.database(database);
        String checkedCollection = Names.collection(collection);
        return new MongoStore(new Source(() -> client, false, checkedDatabase, checkedCollection));
    }

    /**
     * A store with a client of its own, at
     * {@code mongodb://[user:password@]host[:port][,...]/database[?collection=name&...]}, or {@code mongodb+srv://}.
     * The further options are the driver's. Does no I/O.
     *
     * @throws IllegalArgumentException if the URI is malformed; the message never has the password
     */
    public static MongoStore at(String uri) {
        StoreUri parsed = StoreUri.parse(uri);
        return new MongoStore(new Source(parsed::open, true, parsed.database(), parsed.collection()));
    }

    /** All but revocation. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.REVOCATION));
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return workers.submit(claim.id(), new Acquire(claim, wakes));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        wakes.waitsNoMore(claim);
        return workers.submit(claim.id(), new Release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        if (claims.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        Claim first = claims.iterator().next();
        return workers.submit(first.id(), new Renew(claims));
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return workers.submit(id, (documents, wanted) -> Inspect.one(documents, id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return workers.submit(prefix.hashCode(), (documents, wanted) -> Inspect.list(documents, prefix, limit));
    }

    /** Told on a replica set. In any case a busy answer says when to ask again. */
    @Override
    public void onWake(Consumer<Wake> listener) {
        wakes.listener(listener);
    }

    @Override
    public void close() {
        wakes.close();
        workers.close();
        source.close();
    }
}
