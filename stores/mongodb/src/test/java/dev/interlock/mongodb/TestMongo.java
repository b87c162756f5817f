package dev.interlock.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.ProxyFaults;
import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.store.BlockingClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;

/**
 * A database for tests. By default in mongo-java-server, which runs in this JVM and is not MongoDB: no replica set, no
 * majority, no failover. The system property {@code mongodb.uri}, as {@code mongodb://[user:password@]host:port}, names
 * a real one to run the same tests on.
 */
final class TestMongo implements AutoCloseable {

    private static final int WARM_UP = 200;
    private static final Duration START = Patience.FULL;
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");
    private static final String LOOPBACK = "mongodb://127.0.0.1:";
    private static final String REAL = System.getProperty("mongodb.uri", "");

    /** Whether the server's side of this JVM has answered often. */
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final AutoCloseable server;
    private final String uri;
    private final String database = "interlock-test-" + UUID.randomUUID();
    private final MongoClient client;

    private TestMongo(String uri, AutoCloseable server) {
        this.uri = uri;
        this.server = server;
        this.client = MongoClients.create(uri);
        if (REAL.isEmpty()) {
            index("sole");
            index("version");
        }
    }

    private static TestMongo real() {
        return new TestMongo(REAL, () -> {});
    }

    private static TestMongo inside(MongoBackend backend) {
        MongoServer fake = new MongoServer(backend);
        fake.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new TestMongo(LOOPBACK + fake.getLocalAddress().getPort(), fake::shutdownNow);
    }

    private static TestMongo apart() {
        ChildJvm fake = ChildJvm.start(FakeMain.class);
        return new TestMongo(LOOPBACK + fake.await("port ", START), fake);
    }

    /**
     * The fake looks through all documents unless an index has exactly the fields of the filter; MongoDB has the one on
     * _id, and needs no other.
     */
    private void index(String field) {
        documents().createIndex(Indexes.ascending("_id", field), new IndexOptions().unique(true));
    }

    /** A database, in this JVM. */
    static TestMongo start() {
        return warmOnce(REAL.isEmpty() ? inside(new WholeAnswers()) : real());
    }

    /** A database with change streams, in this JVM; a real one has to be a replica set. */
    static TestMongo start(StreamingBackend backend) {
        return warmOnce(REAL.isEmpty() ? inside(backend) : real());
    }

    /** A database that is not MongoDB, whatever the property says. */
    static TestMongo startFake(MongoBackend backend) {
        return warmOnce(inside(backend));
    }

    /** As {@link #startFake}, for one that would not answer what warms it up. */
    static TestMongo startFakeCold(MongoBackend backend) {
        return inside(backend);
    }

    /** A database in a process of its own. */
    static TestMongo startApart() {
        return warm(REAL.isEmpty() ? apart() : real());
    }

    private static TestMongo warmOnce(TestMongo mongo) {
        return WARM.getAndSet(true) ? mongo : warm(mongo);
    }

    /** Lets it answer each verb some times: the first commands of a JVM take longer than some tests allow. */
    private static TestMongo warm(TestMongo mongo) {
        try (BlockingClient client = new BlockingClient(MongoStore.at(mongo.uri()))) {
            for (int i = 0; i < WARM_UP; i++) {
                Claim claim = client.hold("warm-up");
                client.isGranted(claim);
                client.renew(claim);
                client.inspect("warm-up");
                client.release(claim);
            }
        }
        return mongo;
    }

    String database() {
        return database;
    }

    /** Faults of the network between a store and its server. */
    static List<StoreFault> faults(FaultProxy proxy) {
        return List.of(ProxyFaults.blackHole(proxy), ProxyFaults.lostReplies(proxy), ProxyFaults.resets(proxy));
    }

    /** The URI of the database, for a store; options may follow, each after an ampersand. */
    String uri() {
        return uri + "/" + database + options();
    }

    /** Who has credentials is looked for where MongoDB keeps its users, not in the database of the tests. */
    private String options() {
        return uri.contains("@") ? "?authSource=admin" : "?retryWrites=true";
    }

    /**
     * Where it listens; of a real one the port of the first host, which the proxy's tests need to be on this machine.
     */
    int port() {
        String host = uri.substring(uri.lastIndexOf('@') + 1).replace("mongodb://", "");
        int colon = host.indexOf(':');
        return colon < 0 ? 27_017 : Integer.parseInt(host.substring(colon + 1).split("[,/?]", 2)[0]);
    }

    /** The same URI by way of a proxy, and of nobody else: the driver would find the other members by itself. */
    String uriAt(int proxyPort) {
        int at = uri.lastIndexOf('@');
        String credentials = at < 0 ? "" : uri.substring("mongodb://".length(), at + 1);
        return "mongodb://" + credentials + "127.0.0.1:" + proxyPort + "/" + database + options()
                + "&directConnection=true";
    }

    /** A client of the tests' own. */
    MongoClient client() {
        return client;
    }

    /** The documents as they are. */
    MongoCollection<Document> documents() {
        return client.getDatabase(database).getCollection(MongoStore.DEFAULT_COLLECTION);
    }

    /** Those who wait for this name stay listed for longer than any test takes. */
    void keepListed(LockId id) {
        Document name = new Document("_id", Documents.key(id.kind(), id.name()));
        Document found = Objects.requireNonNull(documents().find(name).first());
        int listed = found.getList("waiters", Document.class).size();
        for (int i = 0; i < listed; i++) {
            String waiter = "waiters." + i;
            documents()
                    .updateOne(
                            name,
                            Updates.combine(
                                    Updates.set(waiter + ".until", FAR),
                                    Updates.set(waiter + ".lease", Long.MAX_VALUE)));
        }
    }

    /** Removes all that the tests have made. */
    @Override
    public void close() {
        client.getDatabase(database).drop();
        client.close();
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException("The server of the tests did not close", e);
        }
    }
}
