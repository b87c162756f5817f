package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.EtcdCluster;
import dev.interlock.testkit.server.EtcdServer;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.GetOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

    /**
     * I1: a member knows nothing of what the others have agreed on, and tells so to whoever asks for no more than what
     * it knows.
     */
    @Test
    void memberThatLags_decidesNothing() throws Exception {
        EtcdServer lagging = cluster.members().stream()
                .filter(member -> !member.isLeader())
                .findFirst()
                .orElseThrow();
        List<EtcdServer> others =
                cluster.members().stream().filter(member -> member != lagging).toList();
        LockId latch = new LockId("lagging", LockKind.LATCH);
        try (Client jetcd =
                        Client.builder().endpoints("http://" + lagging.host()).build();
                BlockingClient behind = new BlockingClient(EtcdStore.over(jetcd, "interlock", TestEtcd.LONG_SESSION));
                BlockingClient ahead = new BlockingClient(EtcdStore.at("etcd://"
                        + others.stream().map(EtcdServer::host).collect(Collectors.joining(",")) + "/interlock"))) {
            behind.hold("session");
            assertThat(read(jetcd)).isZero();
            lagging.stop();
            // What they had sent to it is gone with their connections. A new leader sends no more before an answer.
            others.forEach(EtcdServer::kill);
            restart(others);
            ahead.executed(ahead.command(latch, new Command.SetCount(1)));
            others.forEach(EtcdServer::stop);
            lagging.cont();

            // The fault, and the control: there seems to be no latch.
            assertThat(read(jetcd)).isZero();
            Claim waits = behind.claim(latch).inMode(new Mode.AwaitZero());
            BlockingClient.failure(behind.store().acquire(waits));
            BlockingClient.failure(behind.store().inspect(latch));
            assertThat(read(jetcd)).isZero();

            others.forEach(EtcdServer::cont);
            await().until(() -> read(jetcd) > 0);
            assertThat(behind.isGranted(waits)).isFalse();
        }
    }

    /** How many keys of latches the member knows, without asking the others. */
    private static long read(Client member) throws Exception {
        GetOption option =
                GetOption.builder().isPrefix(true).withSerializable(true).build();
        return member.getKVClient()
                .get(Operations.bytes("interlock%latch/"), option)
                .get(Patience.FULL.toSeconds(), TimeUnit.SECONDS)
                .getCount();
    }

    /** Together, since none answers alone. */
    private static void restart(List<EtcdServer> members) {
        List<Caller<Boolean>> starting = members.stream()
                .map(member -> Caller.startAction(member::restart))
                .toList();
        starting.forEach(Caller::result);
    }
}
