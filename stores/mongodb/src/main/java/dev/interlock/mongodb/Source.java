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
import com.mongodb.connection.ServerDescription;
import dev.interlock.support.DaemonThreads;
import dev.interlock.support.Finding;
import dev.interlock.support.SerialExecutor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The client, which the first verb creates, and its collection with the guarantees that this store needs: a majority
 * acknowledges every write before it is answered; a read is local and of the primary, for it decides nothing; and one
 * time limit bounds all that a command waits for: the choice of a server, a connection, the answer, the majority.
 *
 * <p>Thread-safe. A lock guards the client and the flag.
 */
final class Source {

    /** Longer than an election usually takes. */
    private static final long TIMEOUT_SECONDS = 10;

    private static final int COMMAND_NOT_FOUND = 59;

    private final Supplier<MongoClient> clients;
    private final String database;
    private final String collection;
    private final boolean own;
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable MongoClient client;
    private boolean closed;

    private volatile @Nullable Documents documents;

    /** The collection of this name, by a client that is created once, and closed by this store if it is its own. */
    Source(Supplier<MongoClient> clients, boolean own, String database, String collection) {
        this.clients = clients;
        this.own = own;
        this.database = database;
        this.collection = collection;
    }

    /** The documents; creates the client if nobody has yet. */
    Documents documents() {
        Documents open = documents;
        if (open == null) {
            MongoClient made = opened();
            MongoDatabase opened = database(made);
            open = new Documents(collection(opened), () -> time(opened), () -> isWritable(made));
            documents = open;
        }
        return open;
    }

    /**
     * The collection, to watch its changes; null behind a router, where a change is told only when every shard has
     * written something since, which takes up to 10 s where little happens.
     */
    @Nullable
    MongoCollection<Document> watched() {
        MongoClient open = opened();
        ClusterType type = open.getClusterDescription().getType();
        if (type == ClusterType.SHARDED || type == ClusterType.LOAD_BALANCED) {
            return null;
        }
        // Changes are of what a majority has: no other read concern is allowed.
        return collection(database(open)).withReadConcern(ReadConcern.MAJORITY);
    }

    /** Whether the driver has lately heard of a server that writes. */
    private static boolean isWritable(MongoClient open) {
        return open.getClusterDescription().getServerDescriptions().stream().anyMatch(ServerDescription::isPrimary);
    }

    /** The clock of the server, in milliseconds since 1970. */
    long time() {
        return time(database(opened()));
    }

    /** Looks at the deployment. */
    List<Finding> diagnose() {
        MongoDatabase opened = database(opened());
        return new Diagnosis(opened::runCommand, database, collection).findings();
    }

    private MongoClient opened() {
        lock.lock();
        try {
            if (closed) {
                throw SerialExecutor.closedException();
            }
            MongoClient open = client == null ? clients.get() : client;
            client = open;
            return open;
        } finally {
            lock.unlock();
        }
    }

    private MongoDatabase database(MongoClient open) {
        return open.getDatabase(database)
                .withTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .withReadPreference(ReadPreference.primary())
                .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry());
    }

    private MongoCollection<Document> collection(MongoDatabase opened) {
        return opened.getCollection(collection)
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.LOCAL);
    }

    private static long time(MongoDatabase database) {
        Document answer;
        try {
            answer = database.runCommand(new Document("hello", 1));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != COMMAND_NOT_FOUND) {
                throw e;
            }
            // A server before 4.4.2 has it under its older name.
            answer = database.runCommand(new Document("isMaster", 1));
        }
        return Fields.millis(answer, "localTime");
    }

    /** Closes the client if it is the store's own, on a thread of its own: that takes a while if a server is silent. */
    void close() {
        lock.lock();
        try {
            closed = true;
            MongoClient open = client;
            client = null;
            if (own && open != null) {
                DaemonThreads.create("interlock-mongodb-close", open::close).start();
            }
        } finally {
            lock.unlock();
        }
    }
}
