package dev.interlock.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterType;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Where the documents come from: a client, made by the first verb, and the collection, with what this store asks of it:
 *
 * <ul>
 *   <li>every write is acknowledged by a majority before it is answered: none that was is lost in a failover;
 *   <li>every read is of the primary, and local: what is read decides nothing, the version compared in a write does,
 *       and a primary that has been deposed without knowing gets no majority for that;
 *   <li>one time limit for all that a command waits for: the choice of a server, a connection, the answer, the
 *       majority.
 * </ul>
 */
final class Source {

    /** Longer than an election usually takes. */
    private static final long TIMEOUT_SECONDS = 10;

    private static final int COMMAND_NOT_FOUND = 59;

    private final Supplier<MongoClient> clients;
    private final String database;
    private final String collection;
    private final boolean own;
    private final ServerClock clock = new ServerClock(System::nanoTime);
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private @Nullable MongoClient client;

    /** Guarded by lock. */
    private boolean closed;

    private volatile @Nullable Documents documents;
    private volatile @Nullable MongoCollection<Document> changing;

    /**
     * A source.
     *
     * @param own whether the client is this store's, which closes it
     */
    Source(Supplier<MongoClient> clients, boolean own, String database, String collection) {
        this.clients = clients;
        this.own = own;
        this.database = database;
        this.collection = collection;
    }

    /**
     * The collection, to hear of its changes, once a verb has run; null behind a router: there a change is told only
     * when every shard has written something since, which takes up to 10 s where little happens. Changes are of what a
     * majority has: no other read concern is allowed.
     */
    @Nullable
    MongoCollection<Document> changing() {
        ClusterType type = opened().getClusterDescription().getType();
        if (type == ClusterType.SHARDED || type == ClusterType.LOAD_BALANCED) {
            return null;
        }
        return Objects.requireNonNull(changing, "somebody waits, and so a verb has run")
                .withReadConcern(ReadConcern.MAJORITY);
    }

    private MongoClient opened() {
        lock.lock();
        try {
            if (client == null) {
                throw new IllegalStateException("The store is closed");
            }
            return client;
        } finally {
            lock.unlock();
        }
    }

    Documents documents() {
        Documents open = documents;
        return open == null ? open() : open;
    }

    private Documents open() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The store is closed");
            }
            Documents open = documents;
            if (open == null) {
                client = clients.get();
                open = documents(client.getDatabase(database));
                documents = open;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private Documents documents(MongoDatabase named) {
        MongoDatabase limited = named.withTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .withReadPreference(ReadPreference.primary())
                .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry());
        MongoCollection<Document> documentsOfNames = limited.getCollection(collection)
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.LOCAL);
        changing = documentsOfNames;
        return new Documents(documentsOfNames, () -> time(limited), clock);
    }

    private static long time(MongoDatabase database) {
        try {
            return time(database, "hello");
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != COMMAND_NOT_FOUND) {
                throw e;
            }
            // A server before 4.4.2 knows it by its older name.
            return time(database, "isMaster");
        }
    }

    private static long time(MongoDatabase database, String command) {
        return Fields.millis(database.runCommand(new Document(command, 1)), "localTime");
    }

    /**
     * Closes the client if it is the store's own, on a thread of its own: to take leave of a silent server may take a
     * while.
     */
    void close() {
        lock.lock();
        try {
            closed = true;
            MongoClient open = client;
            client = null;
            if (own && open != null) {
                Thread closer = new Thread(open::close, "interlock-mongodb-close");
                closer.setDaemon(true);
                closer.start();
            }
        } finally {
            lock.unlock();
        }
    }
}
