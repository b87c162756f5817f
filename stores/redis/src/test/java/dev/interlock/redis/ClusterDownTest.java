package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster of which no server answers for any slot, since one of them has none. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterDownTest {

    /** A master is taken for living again at the earliest twice the node timeout after it was taken for dead. */
    private static final Duration DEAD_FOR_SURE = Duration.ofSeconds(3);

    private static final Duration SHORT = Duration.ofMinutes(1);

    private static RedisCluster cluster;
    private static RedisServer first;
    private static RedisServer second;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start("cluster-require-full-coverage yes", "cluster-node-timeout 1000");
        first = cluster.masters().get(0);
        second = cluster.masters().get(1);
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    /**
     * I2: scripts without keys run while the cluster is down, and find nothing. What stands there when it is back has
     * not been extended by that.
     */
    @Test
    void whatIsHeldAfterAClusterWasDownHasBeenExtended() throws Exception {
        try (Probe probe = new Probe(first.uri())) {
            List<Claim> held = List.of(probe.hold(nameAtFirst("one")), probe.hold(nameAtFirst("two")));
            // No server is to be told a script while it matters how long that takes.
            probe.renew(probe.claim(nameAtFirst("none")));
            BlockingClient.repeated(() -> probe.store.renew(held));

            Map<Claim, Renewal> answers = Map.of();
            for (int left = 30; answers.isEmpty(); left--) {
                assertThat(left).as("attempts").isPositive();
                answers = renewedWhileDown(probe, held);
            }

            assertThat(answers.values()).containsOnly(Renewal.HELD);
            answers.keySet().forEach(claim -> assertThat(leaseOf(claim)).isGreaterThan(SHORT));
        }
    }

    /** Empty if the cluster was not back before the store gave up. */
    private static Map<Claim, Renewal> renewedWhileDown(Probe probe, List<Claim> held) throws Exception {
        held.forEach(claim -> first.command("PEXPIRE", claim.id().name(), Long.toString(SHORT.toMillis())));
        first.command("CONFIG", "RESETSTAT");
        CompletableFuture<Map<Claim, Renewal>> asked;
        second.stop();
        try {
            await().during(DEAD_FOR_SURE).until(() -> isDown(first));
            asked = probe.store.renew(held).toCompletableFuture();
            await().until(() -> first.calls("evalsha") > 0);
            // The fault: the renewal has arrived, and the cluster is still down.
            assertThat(isDown(first)).isTrue();
        } finally {
            second.cont();
        }
        await().until(() -> !isDown(first));
        try {
            return asked.get(5, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            assertThat(e).hasMessageContaining("CLUSTERDOWN");
            return Map.of();
        }
    }

    private static Duration leaseOf(Claim claim) {
        return Duration.ofMillis(Long.parseLong(first.command("PTTL", claim.id().name())));
    }

    private static boolean isDown(RedisServer server) {
        return server.command("CLUSTER", "INFO").contains("cluster_state:fail");
    }

    private static String nameAtFirst(String beginning) {
        return cluster.nameAt(first, beginning);
    }
}
