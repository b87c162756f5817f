package dev.interlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.etcd.EtcdStore;
import dev.interlock.group.MultiLock;
import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.mongodb.MongoStore;
import dev.interlock.redis.RedisStore;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.server.EtcdServer;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.Tap;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.store.BlockingClient;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How often each path waits for the server, as docs/choose-a-store.md says: the table there is the one of this test. A
 * proxy counts the round trips of one client that is warm; another client, past the proxy, holds what that one waits
 * for.
 *
 * <p>Each number is the lower quartile of some runs. So what comes now and then changes nothing, as a sign of life, the
 * removal of old rows, or a machine that stands still between two requests; and a trip more for each call does.
 */
@Tag("timing")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoundTripsTest {

    private static final Path PAGE = Path.of(System.getProperty("interlock.target", "target"))
            .toAbsolutePath()
            .resolve("../../../docs/choose-a-store.md")
            .normalize();

    private static final Duration EACH_WAY = Duration.ofMillis(2);
    /** Five requests that are sent at once take a busy machine some milliseconds. */
    private static final Duration LONG_WAY = Duration.ofMillis(10);

    private static final int WARM_UPS = 3;
    private static final int RUNS = 11;
    private static final int NAMES = 5;

    @Test
    void redis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            check("Redis", server.port(), Tap.NONE, port -> RedisStore.at(server.uriAt(port)));
        }
    }

    @Test
    void postgresql() throws Exception {
        PostgresServer server = PostgresServer.shared();
        String url = server.newDatabase();
        check("PostgreSQL", server.port(), Tap.NONE, port -> new JdbcStoreProvider()
                .create(url.replace(":" + server.port() + "/", ":" + port + "/")));
    }

    @Test
    void mariaDb() throws Exception {
        MariaDbServer server = MariaDbServer.shared();
        String database = server.createDatabase();
        check("MariaDB, MySQL", server.port(), Tap.NONE, port -> new JdbcStoreProvider()
                .create(server.urlAt(port, database)));
    }

    @Test
    void zooKeeper() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            check("ZooKeeper", server.port(), Tap.NONE, port -> ZooKeeperStore.at(server.uriAt(port) + "/trips"));
        }
    }

    @Test
    void etcd() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer server = EtcdServer.start()) {
            int etcd = Integer.parseInt(server.host().substring(server.host().lastIndexOf(':') + 1));
            check("etcd", etcd, new Http2Requests(), port -> EtcdStore.at("etcd://127.0.0.1:" + port + "/trips"));
        }
    }

    /** On mongo-java-server, which is not MongoDB, and wakes nobody. */
    @Test
    void mongoDb() throws Exception {
        MongoServer server = new MongoServer(new MemoryBackend());
        try {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            check(
                    "MongoDB",
                    server.getLocalAddress().getPort(),
                    Tap.NONE,
                    port -> MongoStore.at("mongodb://127.0.0.1:" + port + "/trips?directConnection=true"));
        } finally {
            server.shutdownNow();
        }
    }

    private static void check(String store, int server, Tap tap, Function<Integer, LockStore> opener) throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server, tap);
                Client client = new Client(proxy, opener, server)) {
            List<Long> measured = client.measure();
            assertThat(measured).as("the row of %s", store).isEqualTo(row(store));
            assertThat(measured.get(0)).as("the column acquire").isEqualTo(acquire(store));
        }
    }

    /** The numbers of the row of this store in the table of round trips. */
    private static List<Long> row(String store) throws IOException {
        String cells = lineOf(store, " \\d[^|]*\\|".repeat(8));
        return Pattern.compile("\\d+")
                .matcher(cells)
                .results()
                .map(found -> Long.valueOf(found.group()))
                .toList();
    }

    /** The first number of the last cell of the row of this store in the table of failovers. */
    private static long acquire(String store) throws IOException {
        String cells = lineOf(store, " [^|\n]+\\|".repeat(4));
        return Long.parseLong(
                cells.substring(cells.lastIndexOf('|', cells.length() - 2) + 2).split("\\D", 2)[0]);
    }

    private static String lineOf(String store, String cells) throws IOException {
        Optional<MatchResult> row = Pattern.compile("(?m)^\\| " + store + "(?:, one server)? \\|(" + cells + ")$")
                .matcher(Files.readString(PAGE))
                .results()
                .findFirst();
        return row.orElseThrow(() -> new AssertionError(PAGE + " has no such row: " + store))
                .group(1);
    }

    /** One client through the proxy, and one past it. */
    private static final class Client implements AutoCloseable {
        private final FaultProxy proxy;
        private final LockClients clients;
        private final CountingStore store;
        private final Interlock client;
        private final Interlock other;
        private final List<Long> measured = new ArrayList<>();

        Client(FaultProxy proxy, Function<Integer, LockStore> opener, int server) {
            this.proxy = proxy;
            clients = new LockClients(() -> opener.apply(server));
            store = new CountingStore(opener.apply(proxy.port()));
            client = clients.open(store, settings -> settings);
            other = clients.open();
            // Requests that are sent without waiting for answers are sent before the first one comes.
            proxy.latency(EACH_WAY);
            for (Interlock each : List.of(client, other)) {
                await().ignoreException(StoreUnavailableException.class)
                        .until(() -> !each.lock(clients.name()).isLocked());
            }
        }

        /** In the order of the columns. */
        List<Long> measure() throws Exception {
            DistributedLock lock = client.lock(clients.name());
            pair(lock::acquire);
            busyTry();
            heldLock();
            var semaphore = client.semaphore(clients.name(), NAMES);
            pair(semaphore::acquire);
            var readWrite = client.readWriteLock(clients.name());
            pair(() -> readWrite.readLock().acquire());
            renewal(1);
            renewal(NAMES);
            proxy.latency(LONG_WAY);
            pair(MultiLock.of(IntStream.range(0, NAMES)
                    .mapToObj(number -> client.lock(clients.name()))
                    .toList())::acquire);
            return measured;
        }

        private interface Acquire {
            Lease call() throws InterruptedException;
        }

        private interface Run {
            void call(long[] trips) throws Exception;
        }

        /** Acquires what is free, and releases it. */
        private void pair(Acquire acquire) throws Exception {
            quartiles(2, trips -> {
                long before = proxy.roundTrips();
                Lease lease = acquire.call();
                long between = proxy.roundTrips();
                lease.close();
                trips[0] = between - before;
                trips[1] = proxy.roundTrips() - between;
            });
        }

        private void busyTry() throws Exception {
            DistributedLock lock = client.lock(clients.name());
            Lease held = other.lock(lock.name()).acquire();
            quartiles(1, trips -> {
                long before = proxy.roundTrips();
                assertThat(lock.tryAcquire()).isEmpty();
                trips[0] = proxy.roundTrips() - before;
            });
            held.close();
        }

        /** From the call to the lease, in runs without a poll: one request gets in line, another one is granted. */
        private void heldLock() throws Exception {
            DistributedLock lock = client.lock(clients.name());
            quartiles(1, trips -> await().until(() -> waitsWithoutPoll(lock, trips)));
        }

        private boolean waitsWithoutPoll(DistributedLock lock, long[] trips) throws Exception {
            Lease held = other.lock(lock.name()).acquire();
            long requests = store.requests(Verb.ACQUIRE);
            long before = proxy.roundTrips();
            CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
            while (other.lock(lock.name()).inspect().waiters().isEmpty()) {
                Thread.onSpinWait();
            }
            held.close();
            Lease got = waiting.get();
            trips[0] = proxy.roundTrips() - before;
            boolean withoutPoll = store.requests(Verb.ACQUIRE) - requests <= 2;
            got.close();
            return withoutPoll;
        }

        private void renewal(int claims) throws Exception {
            BlockingClient bare = new BlockingClient(store);
            List<Claim> held = IntStream.range(0, claims)
                    .mapToObj(number -> bare.hold(clients.name()))
                    .toList();
            quartiles(1, trips -> {
                long before = proxy.roundTrips();
                assertThat(bare.renew(held)).hasSize(claims);
                trips[0] = proxy.roundTrips() - before;
            });
            held.forEach(bare::release);
        }

        private void quartiles(int numbers, Run run) throws Exception {
            long[][] all = new long[RUNS][numbers];
            for (int i = 0; i < WARM_UPS; i++) {
                run.call(all[0]);
            }
            for (long[] trips : all) {
                run.call(trips);
            }
            for (int number = 0; number < numbers; number++) {
                int column = number;
                long[] sorted = Arrays.stream(all)
                        .mapToLong(trips -> trips[column])
                        .sorted()
                        .toArray();
                measured.add(sorted[RUNS / 4]);
            }
        }

        @Override
        public void close() {
            clients.closeAll();
        }
    }

    /** What an HTTP/2 client sends apart from its requests, such as a ping for each answer, is no round trip. */
    private static final class Http2Requests implements Tap {
        private static final int HEAD_BYTES = 9;
        private static final int TYPE_AT = 3;
        private static final int HEADERS = 1;

        @Override
        public UnaryOperator<byte[]> connected() {
            return UnaryOperator.identity();
        }

        /** Chunks begin with a frame: what a client writes at once fits into one. */
        @Override
        public boolean asks(byte[] chunk) {
            for (int at = 0; at + HEAD_BYTES <= chunk.length; at += HEAD_BYTES + length(chunk, at)) {
                if (chunk[at + TYPE_AT] <= HEADERS) {
                    return true;
                }
            }
            return false;
        }

        private static int length(byte[] chunk, int at) {
            return (chunk[at] & 0xff) << 16 | (chunk[at + 1] & 0xff) << 8 | (chunk[at + 2] & 0xff);
        }
    }
}
