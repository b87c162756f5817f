package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master of a cluster goes, and its replica takes over. Each test takes another master. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterFailoverTest {

    private static RedisCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.startWithReplicas("cluster-node-timeout 1000", "cluster-replica-validity-factor 0");
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @Test
    void P07_afterAMastersDeath_itsReplicaHasLocksAndFences() {
        failOver(0, RedisServer::kill);
    }

    @Test
    void P07_aMasterThatStandsStillIsLeftForItsReplica() {
        failOver(1, RedisServer::stop);
        cluster.masters().get(1).cont();
    }

    private static void failOver(int which, Consumer<RedisServer> fault) {
        RedisServer master = cluster.masters().get(which);
        RedisServer replica = cluster.replicas().get(which);
        String name = cluster.nameAt(master, "failover-" + which + "-");
        try (Probe probe = new Probe(cluster.masters().get(2).uri())) {
            Claim held = probe.claim(name);
            long fence = probe.granted(held);
            Claim elsewhere = probe.hold(cluster.nameAt(cluster.masters().get(2), "elsewhere-" + which + "-"));

            long struck = System.nanoTime();
            fault.accept(master);
            await().until(() -> replica.command("INFO", "replication").contains("role:master"));

            await().until(() -> renewed(probe, held));
            Windows.since(struck, "Cluster, node-timeout 1000 ms, master " + (which == 0 ? "killed" : "stands still"));
            await().until(() -> renewed(probe, elsewhere));
            assertThat(probe.release(held)).isTrue();
            assertThat(probe.granted(probe.claim(name))).isGreaterThan(fence);
        }
    }

    /** As the engine does: a question that is not answered in time is given up, and asked again. */
    private static boolean renewed(Probe probe, Claim claim) {
        var asked = probe.store.renew(List.of(claim)).toCompletableFuture();
        try {
            return asked.get(300, TimeUnit.MILLISECONDS).get(claim) == Renewal.HELD;
        } catch (Exception e) {
            asked.cancel(false);
            return false;
        }
    }
}
