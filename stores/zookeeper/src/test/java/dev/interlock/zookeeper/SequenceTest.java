package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The end of ZooKeeper's sequence numbers. A server gives the last one, 2147483647, again and again, and negative ones
 * to those who come while it is still executing the request before.
 */
class SequenceTest {

    private static final int LAST_IN_ORDER = 2_146_999_999;
    private static final int CLIENTS = 4;

    private static ZooKeeperServer server;
    private static CuratorFramework curator;
    private final List<Probe> probes = new ArrayList<>();
    private Probe probe;

    @BeforeAll
    static void start() throws InterruptedException {
        server = ZooKeeperServer.start();
        int session = (int) TestServer.LONG_SESSION.toMillis();
        curator = CuratorFrameworkFactory.newClient(server.connectString(), session, session, new RetryOneTime(100));
        curator.start();
        curator.blockUntilConnected();
    }

    @AfterAll
    static void stop() {
        curator.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        probe = another("");
    }

    @AfterEach
    void close() {
        probes.forEach(Probe::close);
    }

    private Probe another(String path) {
        Probe connected = new Probe(ZooKeeperStore.at(uri(path)));
        probes.add(connected);
        return connected.connected();
    }

    private static String uri(String path) {
        return server.uri() + path + "?session=" + TestServer.LONG_SESSION;
    }

    private static void container(String path, int next) throws Exception {
        curator.create()
                .creatingParentContainersIfNeeded()
                .withMode(CreateMode.CONTAINER)
                .forPath(path, new byte[0]);
        server.sequence(path, next);
    }

    @Test
    void aHolderWithTheLastNumber_isAlone_untilItReleases() throws Exception {
        container("/last", LAST_IN_ORDER);
        Claim holder = probe.claim("last");
        Attempt.Granted granted = probe.granted(holder);
        Claim tries = another("").claim("last");
        Claim waits = another("").waiting("last");

        probes.get(1).busy(tries);
        probes.get(2).busy(waits);
        server.sequence("/last", Integer.MIN_VALUE);
        probes.get(1).busy(tries);
        probes.get(2).busy(waits);

        assertThat(probe.renew(holder)).isEqualTo(Renewal.HELD);
        assertThat(probe.release(holder)).isTrue();
        assertThat(probes.get(2).granted(waits).fence()).isGreaterThan(granted.fence());
        probes.get(1).busy(tries);
        assertThat(curator.getChildren().forPath("/last"))
                .singleElement()
                .asString()
                .endsWith("-lock-0000000000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/lock", "/semaphore/locks"})
    void aFreeName_beginsAtZero(String parent) throws Exception {
        container(parent, Integer.MAX_VALUE);
        LockId id = parent.equals("/lock") ? LockId.lock("lock") : new LockId("semaphore", LockKind.SEMAPHORE);
        Mode mode = parent.equals("/lock") ? Mode.exclusive() : new Mode.Permits(1, 1);

        probe.granted(probe.claim(id, mode));

        probe.busy(probe.claim(id, mode).waiting(Duration.ZERO));
        Stat stat = curator.checkExists().forPath(parent);
        assertThat(stat.getCversion()).isLessThan(10);
    }

    /** Of another library, which has numbers that give no order. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, LAST_IN_ORDER + 1})
    void nobodyHolds_besideAnotherLibrarysNode(int number) throws Exception {
        String parent = "/other" + number;
        container(parent, number);
        String other = curator.create()
                .withProtection()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(parent + "/lock-");
        Claim waits = probe.waiting(parent.substring(1));

        probe.busy(waits);
        probe.busy(probe.claim(parent.substring(1)));
        curator.delete().forPath(other);

        probe.granted(waits);
    }

    @ParameterizedTest
    @Tag("wide")
    @EnumSource(names = {"LOCK", "READ_WRITE", "SEMAPHORE"})
    void whileManyCome_noMoreHoldThanMay(LockKind kind) throws Exception {
        String parent = "/many" + kind + (kind == LockKind.SEMAPHORE ? "/locks" : "");
        container(parent, LAST_IN_ORDER - 5);
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Interlock> clients = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Interlock client = TestServer.patient(ZooKeeperStore.at(uri("")));
                clients.add(client);
                runs.add(threads.submit(rounds(client, kind, held, most)));
            }
            for (Future<Integer> run : runs) {
                assertThat(run.get(2, TimeUnit.MINUTES)).isEqualTo(8);
            }
        } finally {
            threads.shutdownNow();
            clients.forEach(Interlock::close);
        }
        assertThat(most.get()).isLessThanOrEqualTo(kind == LockKind.SEMAPHORE ? 2 : 1);
        assertThat(curator.checkExists().forPath(parent).getCversion()).isLessThan(LAST_IN_ORDER);
    }

    private static Callable<Integer> rounds(Interlock client, LockKind kind, AtomicInteger held, AtomicInteger most) {
        return () -> {
            int rounds = 0;
            for (; rounds < 8; rounds++) {
                Lease lease =
                        switch (kind) {
                            case READ_WRITE ->
                                client.readWriteLock("many" + kind).writeLock().acquire();
                            case SEMAPHORE -> client.semaphore("many" + kind, 2).acquire();
                            default -> client.lock("many" + kind).acquire();
                        };
                most.accumulateAndGet(held.incrementAndGet(), Math::max);
                // Long enough for others to enter meanwhile.
                LockSupport.parkNanos(2_000_000);
                held.decrementAndGet();
                lease.release();
            }
            return rounds;
        };
    }

    @Test
    void aNodeWithData_isNotDeleted_andTheNameIsRefused() throws Exception {
        curator.create().forPath("/byhand", new byte[] {1});
        server.sequence("/byhand", Integer.MAX_VALUE);

        assertRefused(probe, "/byhand");
        curator.delete().forPath("/byhand");
        probe.granted(probe.claim("byhand"));
    }

    @Test
    void aNodeWithRightsOfItsOwn_isNotDeleted_andTheNameIsRefused() throws Exception {
        int most = ZooDefs.Perms.ALL & ~ZooDefs.Perms.WRITE;
        curator.create()
                .withACL(List.of(new ACL(most, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                .forPath("/rights", new byte[0]);
        server.sequence("/rights", Integer.MAX_VALUE);

        assertRefused(probe, "/rights");
        assertThat(curator.getACL().forPath("/rights"))
                .singleElement()
                .extracting(ACL::getPerms)
                .isEqualTo(most);
    }

    @Test
    void otherChildren_refuseTheName() throws Exception {
        container("/shared", Integer.MAX_VALUE);
        curator.create().forPath("/shared/leases");

        assertRefused(probe, "/shared");
    }

    @Test
    void withoutTheRightToDelete_theNameIsRefused() throws Exception {
        int narrow = ZooDefs.Perms.READ | ZooDefs.Perms.CREATE;
        curator.create()
                .withACL(List.of(new ACL(narrow, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                .forPath("/narrow");
        container("/narrow/x", Integer.MAX_VALUE);

        assertRefused(another("/narrow"), "/narrow/x");
    }

    /** And others are not. */
    private static void assertRefused(Probe client, String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        assertThatThrownBy(() -> Probe.answer(client.store.acquire(client.claim(name))))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("used up")
                .hasMessageContaining("path=" + path);
        client.granted(client.claim(name + "-beside"));
    }
}
