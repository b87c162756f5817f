package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The URI, the rights, and the nodes that remain. */
class SetUpTest {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    @Test
    void uri_isFoundByItsScheme_andItsPathHoldsTheLocks() throws Exception {
        try (Interlock client =
                        TestServer.patient(ZooKeeperStore.at(SERVER.uri("/app/locks", TestServer.LONG_SESSION)));
                Lease lease = client.lock("a/b").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(SERVER.children("/app/locks/a%2Fb"))
                    .singleElement()
                    .asString()
                    .matches("_c_[0-9a-f-]{36}-lock-\\d{10}");
            assertThat(client.administration().list("a", 10))
                    .extracting(status -> status.name())
                    .containsExactly("a/b");
        }
    }

    @Test
    void over_usesTheNamespace_andLeavesTheClientOpen() throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.connectString())
                .namespace("tenant")
                .retryPolicy(new RetryOneTime(10))
                .build();
        client.start();
        try (client) {
            try (Interlock locks = TestServer.patient(ZooKeeperStore.over(client));
                    Lease lease = locks.lock("n").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(SERVER.children("/tenant/n")).hasSize(1);
            }
            assertThat(client.getChildren().forPath("/n")).isEmpty();
        }
    }

    @Test
    void over_aClientWhoseRootIsMissing_saysSo() throws Exception {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(SERVER.connectString() + "/nowhere", new RetryOneTime(10));
        client.start();
        try (client;
                Interlock locks = TestServer.patient(ZooKeeperStore.over(client))) {
            assertThatThrownBy(() -> locks.lock("n").tryLock(Patience.limit()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("connect string");
            assertThatThrownBy(() -> locks.semaphore("s", 1).tryAcquire(1, Patience.limit()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("connect string");
            SERVER.client().create().forPath("/nowhere");
            locks.lock("n").acquire().close();
        }
    }

    @Test
    void over_aClientThatIsNotStarted_saysSo() {
        CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(10));
        try (Interlock locks = TestServer.patient(ZooKeeperStore.over(client))) {
            assertThatThrownBy(() -> locks.lock("n").tryLock(Patience.limit()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("started");
        }
    }

    /** P23: nothing is done before the first verb, and that ends although nobody answers. */
    @Test
    void P23_nobodyThere_isSaid() throws Exception {
        int free = freePort();
        try (Interlock client = clientOf(free)) {
            // On a busy machine the time may be over before the reason is known.
            await().untilAsserted(() -> assertIsSaid(client, free));
        }
    }

    @Tag(Effort.TIMING)
    @Test
    void P23_nobodyThere_endsWithTheTimeToConnect() throws Exception {
        int free = freePort();
        try (Interlock client = clientOf(free)) {
            long begun = System.nanoTime();
            assertIsSaid(client, free);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(7));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Interlock clientOf(int port) {
        return Interlock.builder(ZooKeeperStore.at("zk://127.0.0.1:" + port))
                .closeTimeout(Duration.ofMillis(100))
                .build();
    }

    private static void assertIsSaid(Interlock client, int port) {
        assertThatThrownBy(() -> client.lock("n").tryLock(Duration.ofSeconds(2)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + port);
    }

    @Test
    void digest_ownsItsNodes_andOthersMayRead() throws Exception {
        String uri = SERVER.uri("/owned", TestServer.LONG_SESSION).replace("zk://", "zk://ann:secret@");
        try (Interlock ann = TestServer.patient(ZooKeeperStore.at(uri));
                Lease lease = ann.lock("n").acquire()) {
            assertThat(lease.isValid()).isTrue();
            try (Interlock stranger =
                    TestServer.patient(ZooKeeperStore.at(SERVER.uri("/owned", TestServer.LONG_SESSION)))) {
                await().ignoreExceptions().until(() -> stranger.lock("n").isLocked());
                // A missing right may be given at any time, so the engine retries until the caller's time is over. On a
                // busy machine that may be before the first answer.
                await().untilAsserted(() -> assertThatThrownBy(
                                () -> stranger.lock("n").tryLock(Duration.ofSeconds(1)))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("permission=CREATE")
                        .hasMessageContaining("path=/owned/n"));
            }
        }
    }

    /** Locks, permits, latches and all their parents have what the application's client gives to its own nodes. */
    @Test
    void over_aClientWithAccessLists_givesThemToAllNodes() throws Exception {
        ACLProvider byPath = new ACLProvider() {
            @Override
            public List<ACL> getDefaultAcl() {
                return ZooDefs.Ids.CREATOR_ALL_ACL;
            }

            @Override
            public List<ACL> getAclForPath(String path) {
                return path.equals("/secret/open") ? ZooDefs.Ids.OPEN_ACL_UNSAFE : getDefaultAcl();
            }
        };
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.connectString())
                .namespace("secret")
                .authorization("digest", "ann:secret".getBytes(StandardCharsets.UTF_8))
                .aclProvider(byPath)
                .retryPolicy(new RetryOneTime(10))
                .build();
        client.start();
        try (client;
                Interlock locks = TestServer.patient(ZooKeeperStore.over(client));
                Lease open = locks.lock("open").acquire();
                Lease lease = locks.lock("n").acquire();
                Lease permit = locks.semaphore("s", 1).acquire()) {
            assertThat(open.isValid() && lease.isValid() && permit.isValid()).isTrue();
            locks.latch("l").trySetCount(1);

            Id ann = new Id("digest", DigestAuthenticationProvider.generateDigest("ann:secret"));
            List<ACL> hers = List.of(new ACL(ZooDefs.Perms.ALL, ann));
            List<String> nodes = new ArrayList<>(List.of("/", "/n", "/s", "/s/locks", "/s/leases", "/l", "/l/count"));
            for (String parent : List.of("/n", "/s/leases", "/open")) {
                client.getChildren().forPath(parent).forEach(child -> nodes.add(parent + '/' + child));
            }
            assertThat(nodes).hasSize(10);
            for (String node : nodes) {
                assertThat(client.getACL().forPath(node)).as(node).isEqualTo(hers);
            }
            assertThat(client.getACL().forPath("/open")).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        }
    }

    @Test
    void nodes_ofALease_haveTheirPathsAndData() throws Exception {
        ZooKeeperStore store = ZooKeeperStore.at(SERVER.uri("/nodes", TestServer.LONG_SESSION));
        try (Interlock client = TestServer.patient(store);
                Lease lock = client.lock("a/b").acquire();
                Lease permits = client.semaphore("s", 3).acquire(3)) {
            client.semaphore("s", 3).release(permits, 1);
            LockNode own = Probe.answer(store.nodes(lock)).get(0);
            assertThat(own.path()).startsWith("/nodes/a%2Fb/_c_").contains("-lock-");
            assertThat(own.data()).isEqualTo(SERVER.client().getData().forPath(own.path()));
            assertThat(own.toString()).contains("interlock").contains(own.path());
            assertThat(Probe.answer(store.nodes(permits))).hasSize(2).allSatisfy(node -> assertThat(node.path())
                    .startsWith("/nodes/s/leases/_c_"));
            lock.release();
            assertThat(Probe.answer(store.nodes(lock))).isEmpty();
        }
    }

    @Test
    void nodes_ofALeaseThatHasEnded_areRefused() throws Exception {
        Set<Long> others = SERVER.server().sessions();
        ZooKeeperStore store = ZooKeeperStore.at(SERVER.uri("/ended", TestServer.LONG_SESSION));
        try (Interlock client = TestServer.patient(store)) {
            Lease released = client.lock("released").acquire();
            released.release();
            Lease lost = client.lock("lost").acquire();
            Set<Long> mine = SERVER.server().sessions();
            mine.removeAll(others);
            mine.forEach(SERVER::expire);
            await().until(() -> !lost.isValid());

            assertThatThrownBy(() -> store.nodes(released)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> store.nodes(lost)).isInstanceOf(LockLostException.class);
        }
    }

    /** Whoever has sent the request: here a caller, and the clean-up of what may exist of its claim. */
    @Test
    void over_aMissingRight_isToldToTheClientsListeners() throws Exception {
        SERVER.client()
                .create()
                .withACL(List.of(new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                .forPath("/read-only");
        List<String> heard = new CopyOnWriteArrayList<>();
        try (CuratorFramework client = SERVER.another(TestServer.LONG_SESSION)) {
            client.getUnhandledErrorListenable().addListener((message, failure) -> {
                assertThat(failure).isInstanceOf(StoreUnavailableException.class);
                heard.add(message);
                throw new IllegalStateException("of the listener");
            });
            try (Probe probe =
                    new Probe(ZooKeeperStore.builder(client).path("/read-only").build()).connected()) {
                var unused = probe.store.acquire(probe.waiting("n"));

                await().until(() -> heard.stream()
                        .anyMatch(message ->
                                message.contains("permission=CREATE") && message.contains("path=/read-only/n")));
                assertThat(Probe.answer(probe.store.inspect(LockId.lock("n"))).isLocked())
                        .isFalse();
            }
        }
    }

    /** P28: a missing right names path and permission. */
    @Test
    void P28_aMissingRight_isNamed() throws Exception {
        Id nobody = new Id("digest", DigestAuthenticationProvider.generateDigest("no:body"));
        SERVER.client()
                .create()
                .withACL(List.of(new ACL(ZooDefs.Perms.ALL, nobody)))
                .forPath("/no-rights");
        try (Probe probe =
                new Probe(ZooKeeperStore.at(SERVER.uri("/no-rights", TestServer.LONG_SESSION))).connected()) {
            assertThat(probe.store.acquire(probe.waiting("n")).toCompletableFuture())
                    .failsWithin(Patience.limit())
                    .withThrowableOfType(Exception.class)
                    .withMessageContaining("permission=CREATE")
                    .withMessageContaining("path=/no-rights");
            assertThat(Probe.answer(probe.store.inspect(LockId.lock("n"))).isLocked())
                    .isFalse();
        }
    }

    @Test
    void kindsOfOneName_areRefused_ifTheyStandOnTheSameNodes() {
        try (Probe probe = new Probe(ZooKeeperStore.at(SERVER.uri())).connected()) {
            probe.granted(probe.claim("both"));
            var readWrite = probe.claim(new LockId("both", LockKind.READ_WRITE), Mode.shared());
            assertThat(probe.store.acquire(readWrite).toCompletableFuture())
                    .failsWithin(Patience.limit())
                    .withThrowableOfType(Exception.class)
                    .withCauseInstanceOf(IllegalStateException.class)
                    .withMessageContaining("name=both");
            probe.granted(probe.claim(new LockId("both", LockKind.SEMAPHORE), new Mode.Permits(1, 2)));
            assertThat(Probe.answer(probe.store.inspect(new LockId("both", LockKind.READ_WRITE)))
                            .isLocked())
                    .isFalse();
        }
    }

    /** I6: at rest nothing is left but containers. */
    @Test
    void atRest_nothingIsLeftButContainers() throws Exception {
        String base = "/rest";
        try (Interlock client = TestServer.patient(ZooKeeperStore.at(SERVER.uri(base, TestServer.LONG_SESSION)))) {
            client.lock("lock").acquire().close();
            client.readWriteLock("rw").writeLock().acquire().close();
            client.semaphore("permits", 3).acquire(2).close();
            client.latch("latch").trySetCount(1);
            client.latch("latch").countDown();
            client.latch("latch").await();
            for (String node : List.of("lock", "rw", "permits/locks", "permits/leases", "latch/waiters")) {
                await(node)
                        .until(() -> SERVER.client().checkExists().forPath(base + '/' + node) == null
                                || SERVER.children(base + '/' + node).isEmpty());
            }
            assertThat(SERVER.children(base + "/latch")).doesNotContain("count", "gate");
            assertThat(client.administration().list("", 10)).isEmpty();
        }
    }

    /** P27: the store's thread and the client's end with it. */
    @Test
    void P27_close_leavesNoThread_andEndsTheClaims() {
        Probe probe = new Probe(ZooKeeperStore.at(SERVER.uri())).connected();
        probe.granted(probe.claim("closed"));

        probe.close();

        try (Probe other = new Probe(ZooKeeperStore.at(SERVER.uri())).connected()) {
            await().until(() -> Probe.answer(other.store.acquire(other.claim("closed")))
                    instanceof dev.interlock.spi.Attempt.Granted);
        }
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("interlock-zookeeper")));
    }
}
