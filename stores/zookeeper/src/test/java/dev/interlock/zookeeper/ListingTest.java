package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** So many names that they do not fit into one answer to a client: a listing puts no lease at risk. */
class ListingTest extends OverProxy {

    private static final int NAMES = 8_000;
    private static final String BASE = "/many";

    @BeforeAll
    static void createNames() throws Exception {
        SERVER.client().create().forPath(BASE);
        String rest = "n".repeat(190);
        for (int from = 0; from < NAMES; from += 500) {
            List<Op> ops = new ArrayList<>();
            for (int i = from; i < from + 500; i++) {
                ops.add(Op.create(
                        BASE + '/' + String.format("%010d", i) + rest,
                        new byte[0],
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT));
            }
            SERVER.client().getZookeeperClient().getZooKeeper().multi(ops);
        }
    }

    private ZooKeeperStoreBuilder builder() {
        return ZooKeeperStore.builder(uri(BASE));
    }

    /** A client of the application's, whose root is where the names are. */
    private static CuratorFramework started(CuratorFrameworkFactory.Builder builder) {
        CuratorFramework client = builder.connectString(SERVER.server().connectString() + BASE)
                .retryPolicy((count, elapsed, sleeper) -> false)
                .build();
        client.start();
        return client;
    }

    /** Reads all names; looks only at what is below the few that begin so, which is quick. */
    private static List<String> held(Interlock client) {
        return client.administration().list("h", 10).stream()
                .map(LockStatus::name)
                .toList();
    }

    @Test
    void aListing_leavesTheConnectionOfTheLeasesAlone() throws Exception {
        Set<Long> before = SERVER.server().sessions();
        try (Interlock client = TestServer.patient(builder().build());
                Lease lease = client.lock("held").acquire()) {
            assertThat(held(client)).containsExactly("held");

            assertThat(lease.isValid()).isTrue();
            assertThat(begun).as("connections: that of the lease, and another").hasValue(2);
            // Others may still be ending.
            await().untilAsserted(() -> {
                Set<Long> since = SERVER.server().sessions();
                since.removeAll(before);
                assertThat(since).hasSize(1);
            });
            await().until(() -> proxy.connections() == 1);
        }
    }

    /** The application's own client loses its connection when it reads so much itself. */
    @Test
    void overTheApplicationsClient_listing_doesNotBreakIt() throws Exception {
        Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();
        try (CuratorFramework application = started(CuratorFrameworkFactory.builder())) {
            application.getConnectionStateListenable().addListener((client, state) -> states.add(state));
            try (Interlock client = TestServer.patient(ZooKeeperStore.over(application));
                    Lease lease = client.lock("held").acquire()) {
                assertThat(held(client)).containsExactly("held");
                assertThat(lease.isValid()).isTrue();
                assertThat(states).doesNotContain(ConnectionState.SUSPENDED);

                assertThatThrownBy(() -> application.getChildren().forPath("/"))
                        .isInstanceOf(ConnectionLossException.class);
                await().until(() -> states.contains(ConnectionState.SUSPENDED));
            }
        }
    }

    /** Only the application's client has the right to read, and Curator does not tell how. */
    @Test
    void overTheApplicationsClient_refusal_leavesItsConnection() throws Exception {
        Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();
        try (CuratorFramework application = started(CuratorFrameworkFactory.builder()
                .authorization("digest", "ann:secret".getBytes(StandardCharsets.UTF_8)))) {
            application.getConnectionStateListenable().addListener((client, state) -> states.add(state));
            application.setACL().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath("/");
            try (Interlock client = TestServer.patient(ZooKeeperStore.over(application));
                    Lease lease = client.lock("held").acquire()) {
                assertThatThrownBy(() -> client.administration().list("", 10))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("names=8001")
                        .hasMessageContaining("jute.maxbuffer=1048575")
                        .hasMessageContaining("jute.maxbuffer=" + Listing.NAME_BYTES * (NAMES + 1 + 100))
                        .hasMessageContaining("path=/");

                assertThat(lease.isValid()).isTrue();
                assertThat(states).doesNotContain(ConnectionState.SUSPENDED);
            } finally {
                application.setACL().withACL(ZooDefs.Ids.OPEN_ACL_UNSAFE).forPath("/");
            }
        }
    }

    /** With room for all of them no other connection is needed. */
    @Test
    void theOptionsOfTheApplication_count_andStayAsTheyAre() throws Exception {
        ZKClientConfig options = new ZKClientConfig();
        options.setProperty(ZKConfig.JUTE_MAXBUFFER, "16000000");
        try (Interlock client =
                        TestServer.patient(builder().clientConfig(options).build());
                Lease lease = client.lock("held").acquire()) {
            assertThat(held(client)).containsExactly("held");
            assertThat(lease.isValid()).isTrue();
            assertThat(begun).hasValue(1);
            assertThat(options.getProperty(ZKConfig.JUTE_MAXBUFFER)).isEqualTo("16000000");
        }
    }

    @Test
    void theOtherConnection_hasTheSameCredentials() throws Exception {
        ZKClientConfig options = new ZKClientConfig();
        options.setProperty(ZKConfig.JUTE_MAXBUFFER, "100000");
        ZooKeeperStore store = ZooKeeperStore.builder(uri("/own"))
                .digest("ann", "secret")
                .acl(Settings.provider(ZooDefs.Ids.CREATOR_ALL_ACL))
                .clientConfig(options)
                .build();
        try (Interlock client = TestServer.patient(store);
                Lease lease = client.lock("held").acquire()) {
            assertThat(held(client)).containsExactly("held");
            assertThat(lease.isValid()).isTrue();
            assertThat(begun).hasValue(2);
            assertThatThrownBy(() -> SERVER.client().getChildren().forPath("/own"))
                    .isInstanceOf(NoAuthException.class);
        }
    }

    @Test
    void aListingUnderWay_endsWithTheStore() {
        ZooKeeperStore store = builder().build();
        Probe connected = new Probe(store).connected();
        proxy.refuse();
        var listed = store.list("", 10).toCompletableFuture();
        await().until(() -> clients() == 2);

        connected.close();

        assertThat(listed)
                .failsWithin(Patience.limit())
                .withThrowableOfType(Exception.class)
                .withMessageContaining("closed");
        await().until(() -> clients() == 0);
    }

    /** Those of ZooKeeper's clients that this test has: each has a thread that sends, called after the SERVER. */
    private long clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith(":" + proxy.port() + ")"))
                .count();
    }
}
