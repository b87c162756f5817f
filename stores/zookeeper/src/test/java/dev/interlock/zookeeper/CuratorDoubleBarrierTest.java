package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.zookeeper.CuratorDoubleBarrier.Membership;
import dev.interlock.zookeeper.CuratorDoubleBarrier.MembershipLostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parties that enter and leave together, among clients of ours. */
@Tag("wide")
class CuratorDoubleBarrierTest {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private final Deque<ZooKeeperStore> open = new ArrayDeque<>();

    @AfterEach
    void close() {
        open.forEach(ZooKeeperStore::close);
    }

    private ZooKeeperStore store() {
        ZooKeeperStore store = ZooKeeperStore.builder(SERVER.server().uri())
                .session(TestServer.LONG_SESSION)
                .build();
        open.push(store);
        return store;
    }

    /** A node that is not there has none. */
    private static List<String> children(String path) throws Exception {
        try {
            return SERVER.children(path);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private static void awaitParties(String path, int count) {
        await().until(() -> children(path).size() == count);
    }

    @Test
    void allEnter_whenTheLastHas_andAllLeave_whenTheLastDoes() throws Exception {
        Caller<Membership> first = Caller.start(store().curatorDoubleBarrier("together", 3)::enter);
        Caller<Membership> second = Caller.start(store().curatorDoubleBarrier("together", 3)::enter);
        awaitParties("/together", 2);
        assertThat(first.isDone() || second.isDone()).isFalse();

        Membership third = store().curatorDoubleBarrier("together", 3).enter();

        List<Membership> inside = List.of(first.result(), second.result(), third);
        assertThat(inside).allMatch(Membership::isValid);
        assertThat(children("/together")).hasSize(4).contains("ready");
        List<Caller<Boolean>> leaving = new ArrayList<>();
        for (Membership each : inside.subList(0, 2)) {
            leaving.add(Caller.startAction(each::leave));
        }
        // The first in the order of names keeps its node to the last, if it is one of the two.
        await().until(() -> children("/together").size() <= 3);
        assertThat(leaving).noneMatch(Caller::isDone);
        assertThat(third.isValid()).isTrue();

        third.leave();

        leaving.forEach(Caller::result);
        assertThat(inside).noneMatch(Membership::isValid);
        assertThat(children("/")).doesNotContain("together");
        assertThatThrownBy(third::leave)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("together");
        third.close();
    }

    /** Nobody begins a round before all have left the one before, although nobody pauses between two rounds. */
    @Tag(Effort.SCALED)
    @Test
    void roundAfterRound_withoutAPause() {
        int parties = 4;
        int rounds = Effort.pick(40, 2_000);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        ZooKeeperStore shared = store();
        for (int i = 0; i < parties; i++) {
            // Two parties of one process, and two of others.
            CuratorDoubleBarrier barrier = (i < 2 ? shared : store()).curatorDoubleBarrier("rounds", parties);
            callers.add(Caller.startAction(() -> {
                for (int round = 1; round <= rounds; round++) {
                    entered.incrementAndGet();
                    Membership membership = barrier.enter();
                    assertThat(entered.get()).as("entered in round %d", round).isEqualTo(round * parties);
                    inside.incrementAndGet();
                    membership.leave();
                    assertThat(inside.get())
                            .as("were inside by round %d", round)
                            .isGreaterThanOrEqualTo(round * parties);
                }
            }));
        }

        callers.forEach(Caller::loopResult);

        assertThat(inside.get()).isEqualTo(rounds * parties);
    }

    /** All who were inside have died: what says that the barrier is open says nothing any more. */
    @Test
    void openBarrierWithNobodyInside_isClosed() throws Exception {
        SERVER.client().create().creatingParentContainersIfNeeded().forPath("/stale/ready");

        Caller<Membership> first = Caller.start(store().curatorDoubleBarrier("stale", 2)::enter);

        await().until(() ->
                children("/stale").size() == 1 && !children("/stale").contains("ready"));
        assertThat(first.isDone()).isFalse();
        store().curatorDoubleBarrier("stale", 2).enter().close();
        first.result().close();
        await().untilAsserted(() -> assertThat(children("/")).doesNotContain("stale"));
    }

    @Test
    void lateParty_isInsideAtOnce_andOneIsEnoughForItself() throws Exception {
        CuratorDoubleBarrier alone = store().curatorDoubleBarrier("late", 1);
        Membership first = alone.enter(Duration.ZERO);

        Membership late = store().curatorDoubleBarrier("late", 5).enter(Duration.ZERO);

        assertThat(first.leave(Duration.ofMillis(20))).isFalse();
        assertThat(late.isValid()).isTrue();
        late.leave();
        assertThat(children("/")).doesNotContain("late");
    }

    @Test
    void whoGivesUp_leavesNoNode_andOthersWaitForAnother() throws Exception {
        CuratorDoubleBarrier barrier = store().curatorDoubleBarrier("given up", 2);
        assertThatThrownBy(() -> barrier.enter(Duration.ofMillis(20)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("given up");
        awaitParties("/given up", 0);
        Caller<Membership> interrupted = Caller.start(barrier::enter);
        awaitParties("/given up", 1);

        interrupted.interrupt();

        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        awaitParties("/given up", 0);
    }

    /** Its node was there for the others, and is again. */
    @Test
    void waitingParty_thatLosesItsNodeOrSession_entersAgain() throws Exception {
        Set<Long> before = SERVER.server().sessions();
        Caller<Membership> first = Caller.start(store().curatorDoubleBarrier("again", 2)::enter);
        awaitParties("/again", 1);
        String node = children("/again").get(0);
        SERVER.client().delete().forPath("/again/" + node);
        awaitParties("/again", 1);
        Set<Long> begun = SERVER.server().sessions();
        begun.removeAll(before);

        begun.forEach(SERVER::expire);

        await().until(() ->
                children("/again").size() == 1 && !SERVER.server().sessions().containsAll(begun));
        assertThat(first.isDone()).isFalse();
        Membership second = store().curatorDoubleBarrier("again", 2).enter();
        assertThat(first.result().isValid()).isTrue();
        first.result().close();
        second.leave();
    }

    @Test
    void sessionThatEndsInside_isGoneForTheOthers_andTold() throws Exception {
        Set<Long> before = SERVER.server().sessions();
        Caller<Membership> waiting = Caller.start(store().curatorDoubleBarrier("session", 2)::enter);
        awaitParties("/session", 1);
        Set<Long> begun = SERVER.server().sessions();
        begun.removeAll(before);
        Membership other = store().curatorDoubleBarrier("session", 2).enter();
        Membership lost = waiting.result();
        Caller<Boolean> leaving = Caller.startAction(other::leave);
        leaving.awaitBlocked();
        assertThat(leaving.isDone()).isFalse();

        begun.forEach(SERVER::expire);

        leaving.result();
        await().until(() -> !lost.isValid());
        assertThatThrownBy(lost::leave)
                .isInstanceOf(MembershipLostException.class)
                .hasMessageContaining("session");
        assertThat(children("/")).doesNotContain("session");
    }

    /** A party that counts as inside keeps its session proved, however long that lasts. */
    @Test
    void insideForLongerThanASession_staysValid() throws Exception {
        Duration session = Duration.ofSeconds(4);
        ZooKeeperStore store =
                ZooKeeperStore.builder(SERVER.server().uri()).session(session).build();
        open.push(store);

        Duration stay = Patience.inTime(() -> {
            try (Membership inside = store.curatorDoubleBarrier("long", 1).enter()) {
                long entry = System.nanoTime();
                await().until(() -> !inside.isValid() || System.nanoTime() - entry > session.toNanos());
                inside.leave();
                return Optional.of(Duration.ofNanos(System.nanoTime() - entry));
            } catch (MembershipLostException e) {
                // The machine stood still.
                return Optional.empty();
            }
        });

        assertThat(stay).isGreaterThan(session);
    }

    @Test
    void nodeOfALock_isRefused_andLeavesNothing() throws Exception {
        Probe probe = new Probe(store());
        Claim held = probe.claim("taken");
        probe.granted(held);

        assertThatThrownBy(store().curatorDoubleBarrier("taken", 2)::enter)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("taken");

        await().until(() -> children("/taken").size() == 1);
        assertThat(probe.release(held)).isTrue();
        assertThatThrownBy(() -> store().curatorDoubleBarrier("none", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parties=0");
    }
}
