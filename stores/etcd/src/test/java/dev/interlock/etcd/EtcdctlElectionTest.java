package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.LeaderTask;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Candidates of {@code etcdctl elect} beside ours: one leads at a time, and each is woken by the other. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdctlElectionTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private Interlock client;

    @BeforeEach
    void open() {
        client = open(EtcdStore.at(ETCD.uri()));
    }

    /** Woken, or waiting until the test fails. */
    private static Interlock open(EtcdStore store) {
        return Interlock.builder(store)
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .pollCap(Duration.ofHours(1))
                .build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static LeaderTask untilItEnds() {
        return lease -> Thread.sleep(Long.MAX_VALUE);
    }

    @Test
    void ourLeader_keepsEtcdctlOut_andWakesIt() throws Exception {
        LeaderElection election = client.election("ours leads");
        Candidacy ours = election.join(untilItEnds());
        await().until(ours::isLeader);
        try (Etcdctl theirs = Etcdctl.elect(ETCD, "ours leads", "theirs")) {
            Caller<String> said = theirs.granted();
            await().until(() -> election.inspect().waiters().size() == 1);
            assertThat(said.isDone()).isFalse();

            ours.close();

            assertThat(said.result()).startsWith("interlock/ours leads/");
            LockStatus seen = election.inspect();
            assertThat(seen.holders()).singleElement().satisfies(holder -> assertThat(holder.owner())
                    .matches("[0-9a-f]+"));
            theirs.end();
        }
    }

    @Test
    void theirLeader_keepsOursOut_andWakesIt() throws Exception {
        LeaderElection election = client.election("theirs leads");
        try (Etcdctl theirs = Etcdctl.elect(ETCD, "theirs leads", "theirs")) {
            assertThat(theirs.granted().result()).startsWith("interlock/theirs leads/");
            long before = election.inspect().holders().get(0).token();
            Candidacy ours = election.join(untilItEnds());
            await().until(() -> election.inspect().waiters().size() == 1);
            assertThat(ours.isLeader()).isFalse();

            theirs.end();

            await().until(ours::isLeader);
            assertThat(ours.leadership()).map(Lease::token).hasValueSatisfying(token -> assertThat(token)
                    .isGreaterThan(before));
            ours.close();
        }
    }

    /** Two candidates of ours, each of a client of its own, and two of theirs, which stand again and again. */
    @Tag(Effort.SCALED)
    @Test
    void mixed_oneLeadsAtATime_andEachHasItsTurns() throws Exception {
        int terms = Effort.pick(3, 100);
        Room room = new Room();
        Queue<Throwable> met = new ConcurrentLinkedQueue<>();
        List<Candidacy> ours = new ArrayList<>();
        try (Interlock second = open(ETCD.over())) {
            for (Interlock each : List.of(client, second)) {
                ours.add(each.election("mixed").join((LeaderTask) lease -> {
                    try {
                        room.enter(lease.token());
                    } catch (AssertionError e) {
                        met.add(e);
                    }
                }));
            }
            List<Caller<Boolean>> theirs = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                theirs.add(Caller.startAction(() -> {
                    for (int term = 0; term < terms; term++) {
                        try (Etcdctl process = Etcdctl.elect(ETCD, "mixed", "theirs")) {
                            assertThat(process.granted().result()).startsWith("interlock/mixed/");
                            room.enter(0);
                            process.end();
                        }
                    }
                }));
            }
            theirs.forEach(Caller::loopResult);
            // Nobody is left who could keep ours out.
            int turns = room.turns();
            await().until(() -> room.turns() > turns + 1);
            ours.forEach(Candidacy::close);
        }
        assertThat(met).isEmpty();
    }
}
