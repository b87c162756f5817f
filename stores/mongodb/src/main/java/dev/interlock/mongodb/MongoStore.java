package dev.interlock.mongodb;

import com.mongodb.client.MongoClient;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Claims in a collection of MongoDB, one document for each name: every kind of lock.
 *
 * <p>One command takes a free lock and one releases it. Anything else reads the document together with the server's
 * time, decides, and writes only if the document is still as it was read. A majority of the replica set acknowledges
 * each write. Only the server's clock ends a lease.
 *
 * <p>On a replica set a change stream wakes the claims that wait. Elsewhere, and until the stream is open, they poll,
 * more often the nearer they are to their turn.
 *
 * <p>A store has up to {@value Workers#THREADS} threads, one more for lists and one for the change stream, which end
 * when it is idle, and uses as many connections.
 */
public final class MongoStore implements LockStore, LockCatalog, Diagnosable {

    /** The collection that a store uses unless another one is named. */
    public static final String DEFAULT_COLLECTION = MongoUri.DEFAULT_COLLECTION;

    private final Source source;
    private final Workers workers;
    private final Wakes wakes;
    private final String where;

    private MongoStore(Supplier<MongoClient> clients, boolean own, String hosts, String database, String collection) {
        Driver.require();
        where = hosts + database + "." + collection;
        source = new Source(clients, own, database, collection);
        workers = new Workers(source::documents);
        wakes = new Wakes(source::watched, Wakes.LINGER);
    }

    /**
     * A store in this database, in the collection {@value #DEFAULT_COLLECTION}, over a client that stays the caller's.
     */
    public static MongoStore over(MongoClient client, String database) {
        return over(client, database, DEFAULT_COLLECTION);
    }

    /**
     * A store in this database and this collection, over a client that stays the caller's. The first verb makes the
     * collection if it is not there.
     *
     * @param database letters, digits, hyphens and underscores, at most 63
     * @param collection letters, digits, hyphens, underscores and dots, a letter or an underscore first, at most 100
     * @throws IllegalArgumentException if a name is not so
     * @throws IllegalStateException if the driver is older than 5.2
     */
    public static MongoStore over(MongoClient client, String database, String collection) {
        return new MongoStore(() -> client, false, "", MongoUri.database(database), MongoUri.collection(collection));
    }

    /**
     * A store with a client of its own, at
     * {@code mongodb://[user:password@]host[:port][,...]/database[?collection=name&...]}, or {@code mongodb+srv://}.
     * The further options are the driver's. Does no I/O.
     *
     * @throws IllegalArgumentException if the URI is malformed; the message never has the password
     * @throws IllegalStateException if the driver is older than 5.2
     */
    public static MongoStore at(String uri) {
        MongoUri parsed = MongoUri.parse(uri);
        return new MongoStore(parsed::open, true, parsed.hosts() + "/", parsed.database(), parsed.collection());
    }

    /** All but revocation and retention: no claim hears of requests that come while it holds. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.REVOCATION, Capability.RETENTION));
    }

    /** The verbs of a name run one after the other. */
    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public boolean isConnected() {
        return workers.isConnected();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return Failures.isRefusal(failure);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return workers.submit(claim.id(), new Acquire(claim, wakes));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return workers.submit(command.id(), (documents, wanted) -> Verbs.execute(documents, command, wanted));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return workers.submit(claim.id(), (documents, wanted) -> {
            wakes.waitsNoMore(claim);
            return Verbs.release(documents, claim);
        });
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> renewed = List.copyOf(claims);
        return renewed.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : workers.submit(renewed.get(0).id(), (documents, wanted) -> Verbs.renew(documents, renewed, wanted));
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return workers.submit(id, (documents, wanted) -> Verbs.inspect(documents, id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return workers.look((documents, wanted) -> Verbs.list(documents, prefix, limit, wanted));
    }

    @Override
    public OptionalLong readClock() {
        return OptionalLong.of(Examination.await(workers.submit("clock", (documents, wanted) -> source.time())));
    }

    @Override
    public List<Finding> diagnose() {
        return Examination.await(workers.submit("diagnosis", (documents, wanted) -> source.diagnose()));
    }

    /** On a replica set only; in any case a busy answer says when to ask again. */
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

    /** The hosts, if the client is its own, the database and the collection; no password. */
    @Override
    public String toString() {
        return "MongoStore[" + where + "]";
    }
}
