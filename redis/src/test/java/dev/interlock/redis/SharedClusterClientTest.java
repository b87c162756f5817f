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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** A store on the cluster that the application's own client for a cluster is for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedClusterClientTest {

    private static RedisCluster cluster;

    private RedisClusterClient client;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start();
        String rights = MinimalRightsContractTest.documented() + " +cluster|slots +asking";
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
     * A handshake that asks for credentials on another thread may end there, before the connection's own knows of it, which then refuses commands as not connected.
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
            List<Long> before = connections();
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

    private static List<Long> connections() {
        return cluster.masters().stream()
                .map(server -> server.command("CLIENT", "LIST").lines().count())
                .toList();
    }
}
