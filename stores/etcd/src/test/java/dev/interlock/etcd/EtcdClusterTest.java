package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.EtcdCluster;
import dev.interlock.testkit.server.EtcdServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three members, one of which dies or stands still. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class EtcdClusterTest {

    private EtcdCluster cluster;
    private Interlock client;
    private Interlock other;

    @BeforeEach
    void start() {
        TestEtcd.assumeInstalled();
        cluster = EtcdCluster.start();
        client = open();
        other = open();
    }

    @AfterEach
    void close() {
        if (cluster != null) {
            client.close();
            other.close();
            cluster.close();
        }
    }

    private Interlock open() {
        return Interlock.builder(EtcdStore.at("etcd://" + cluster.hosts() + "/interlock?session=60s"))
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build();
    }

    @Test
    void leaderThatIsKilled_costsNoLease_andTheWaiterIsNext() throws Exception {
        Lease held = client.lock("killed").acquire();
        Caller<Lease> waiting = Caller.start(other.lock("killed")::acquire).awaitBlocked();
        EtcdServer leader = cluster.leader();

        leader.kill();

        assertThat(cluster.leader()).isNotSameAs(leader);
        assertThat(held.isValid()).isTrue();
        assertThat(waiting.isDone()).isFalse();
        // A release is tried twice, and may meet the dead member.
        await().until(() -> client.lock("killed").isLocked());
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease next = waiting.result();
        assertThat(next.token()).isGreaterThan(held.token());
        next.close();
        leader.restart();
        client.lock("killed").acquire().close();
    }

    @Test
    void leaderThatStandsStill_isLeftForAnother() throws Exception {
        Lease held = client.lock("stopped").acquire();
        EtcdServer leader = cluster.leader();

        leader.stop();
        assertThat(leader.state()).isEqualTo('T');

        await().until(() ->
                cluster.members().stream().filter(member -> member != leader).anyMatch(EtcdServer::isLeader));
        other.lock("another").acquire().close();
        assertThat(held.isValid()).isTrue();
        leader.cont();
        held.close();
        other.lock("stopped").acquire().close();
    }
}
