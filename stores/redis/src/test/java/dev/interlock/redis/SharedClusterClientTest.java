package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** A store on the cluster that the application's own client for a cluster is for. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class SharedClusterClientTest {

    private static RedisCluster cluster;

    private RedisClusterClient client;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start();
        String rights = LeastRights.documented() + " +cluster|slots +asking";
        cluster.masters()
                .forEach(server -> server.command(("ACL SETUSER app reset on >secret " + rights).split(" ", -1)));
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @BeforeEach
    void createClient() {
        client = RedisClusterClient.create(cluster.uri());
    }

    @AfterEach
    void closeClient() {
        client.shutdown();
    }

    @Test
    void everyMasterIsReachedAndWakes() {
        try (Probe probe = new Probe(RedisStore.over(client, uri()));
                Probe other = new Probe(RedisStore.over(client, uri()))) {
            for (RedisServer master : cluster.masters()) {
                String name = cluster.nameAt(master, "over-");
                Claim held = probe.hold(name);
                assertThat(master.command("EXISTS", name)).isEqualTo("1");
                assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
                Claim waits = other.claim(name).waiting(Duration.ZERO);
                other.busy(waits);
                assertThat(probe.release(held)).isTrue();
                await().until(() -> other.wakes.contains(waits.id()));
                other.release(other.hold(name));
            }
        }
    }

    @Test
    void aLockInAMovingSlotIsRenewedAndReleased() {
        RedisServer from = cluster.masters().get(0);
        RedisServer to = cluster.masters().get(1);
        String name = cluster.nameAt(from, "moving-");
        int slot = cluster.slot(name);
        try (Probe probe = new Probe(RedisStore.over(client, uri()))) {
            Claim held = probe.hold(name);
            cluster.beginMove(slot, from, to);
            cluster.moveKeys(slot, from, to);
            try {
                long asked = cluster.calls("asking");
                assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(cluster.calls("asking")).isGreaterThan(asked);
            } finally {
                cluster.moveKeys(slot, from, to);
                cluster.endMove(slot, from, to);
            }
            assertThat(probe.release(held)).isTrue();
        }
    }

    @Test
    void theGivenCredentialsAreUsedOnAllServers() {
        RedisURI uri = RedisURI.builder(RedisURI.create(cluster.uri()))
                .withAuthentication("app", "secret")
                .build();
        try (Probe probe = new Probe(RedisStore.over(client, uri))) {
            for (RedisServer master : cluster.masters()) {
                Claim held = probe.hold(cluster.nameAt(master, "credentials-"));
                assertThat(master.command("CLIENT", "LIST").lines()).anyMatch(line -> line.contains("user=app"));
                assertThat(probe.release(held)).isTrue();
            }
        }
    }

    /**
     * A handshake that asks for credentials on another thread may end there, before the connection's own knows of it,
     * which then refuses commands as not connected.
     */
    @Test
    void noHandshakeLeavesTheConnectionsThread() {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        RedisCredentialsProvider provider = () -> Mono.just(new NotingCredentials(threads));
        RedisURI uri = RedisURI.builder(uri()).withAuthentication(provider).build();
        try (Probe probe = new Probe(RedisStore.over(client, uri))) {
            for (RedisServer master : cluster.masters()) {
                probe.release(probe.hold(cluster.nameAt(master, "provider-")));
                assertThat(master.command("CLIENT", "LIST").lines()).anyMatch(line -> line.contains("user=app"));
            }
        }
        String caller = Thread.currentThread().getName();
        assertThat(threads).isNotEmpty().allMatch(name -> name.equals(caller) || name.startsWith("lettuce-"));
    }

    /** The application goes on with its client, which has lost nothing, and the store leaves no connection. */
    @Test
    void closingTheStoreLeavesTheClientAsItWas() {
        try (var application = client.connect()) {
            application.sync().set("mine", "1");
            List<Long> before = settledConnections();
            try (Interlock locks =
                    Interlock.builder(RedisStore.over(client, uri())).build()) {
                cluster.masters().forEach(master -> locks.lock(cluster.nameAt(master, "closing-"))
                        .run(() -> {}));
                assertThat(connections()).isNotEqualTo(before);
            }
            await().untilAsserted(() -> assertThat(connections()).isEqualTo(before));
            assertThat(application.sync().get("mine")).isEqualTo("1");
        }
    }

    /** The store's own connections end with the client of its own making: but not one that comes later. */
    @Test
    void aConnectionThatComesWhenTheStoreIsClosedIsClosed() throws InterruptedException {
        LateChannels late = new LateChannels();
        ClientResources resources =
                ClientResources.builder().nettyCustomizer(late).build();
        RedisClusterClient slow = RedisClusterClient.create(resources, cluster.uri());
        // Its threads are there as long as somebody else is connected.
        try (var application = slow.connect()) {
            application.sync().set("mine", "1");
            Probe probe = new Probe(RedisStore.over(slow, uri()));
            late.begun = true;
            var asked = probe.store.acquire(probe.claim("late"));
            late.made.await();
            probe.close();
            assertThat(Probe.failure(asked)).hasMessageContaining("closed");
            late.goOn.countDown();

            late.connected.await();
            await().until(() -> !late.channel.isOpen());
        } finally {
            late.goOn.countDown();
            slow.shutdown();
            var unused = resources.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatCannotBeIsRefusedWithItsName() {
        assertThatThrownBy(() -> RedisStore.builder(client, uri())
                        .trust(Path.of("ca.pem"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set it there: trust=ca.pem");
        RedisURI nobody = RedisURI.builder()
                .withSentinel("127.0.0.1")
                .withSentinelMasterId("m")
                .withAuthentication("app", "s3cret")
                .build();
        assertThatThrownBy(() -> RedisStore.over(client, nobody))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must name a host")
                .hasMessageNotContaining("s3cret");
    }

    /** Holds a channel back before it connects. */
    private static final class LateChannels implements NettyCustomizer {
        private final CountDownLatch made = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final CountDownLatch connected = new CountDownLatch(1);
        private volatile boolean begun;
        private volatile Channel channel = new EmbeddedChannel();

        @Override
        public void afterChannelInitialized(Channel initialized) {
            if (!begun) {
                return;
            }
            channel = initialized;
            initialized.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelActive(ChannelHandlerContext context) {
                    connected.countDown();
                    context.fireChannelActive();
                }
            });
            made.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Says which threads ask for the password. */
    private record NotingCredentials(Set<String> threads) implements RedisCredentials {
        @Override
        public String getUsername() {
            return "app";
        }

        @Override
        public boolean hasUsername() {
            return true;
        }

        @Override
        public char[] getPassword() {
            threads.add(Thread.currentThread().getName());
            return "secret".toCharArray();
        }

        @Override
        public boolean hasPassword() {
            return true;
        }
    }

    private static RedisURI uri() {
        return RedisURI.create(cluster.uri());
    }

    /** What Lettuce has closed in the background may be counted for a while. */
    private static List<Long> settledConnections() {
        AtomicReference<List<Long>> last = new AtomicReference<>(List.of());
        await().during(Duration.ofMillis(200)).until(() -> {
            List<Long> now = connections();
            return last.getAndSet(now).equals(now);
        });
        return Objects.requireNonNull(last.get());
    }

    private static List<Long> connections() {
        return cluster.masters().stream()
                .map(server -> server.command("CLIENT", "LIST").lines().count())
                .toList();
    }
}
