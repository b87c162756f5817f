package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.zookeeper.CuratorBarrier;
import dev.interlock.zookeeper.CuratorDoubleBarrier.Membership;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.barriers.DistributedBarrier;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Barriers of ours and of Curator on the same path, both ways. */
@Tag("long")
class CuratorBarrierTest {

    private static ZooKeeperClients clients;
    private static CuratorFramework curator;

    private final Deque<ZooKeeperStore> open = new ConcurrentLinkedDeque<>();

    @BeforeAll
    static void start() {
        clients = new ZooKeeperClients();
        curator = clients.curator();
    }

    @AfterAll
    static void stop() {
        clients.close();
    }

    @AfterEach
    void close() {
        open.forEach(ZooKeeperStore::close);
    }

    private ZooKeeperStore store() {
        ZooKeeperStore store = ZooKeeperStore.at(clients.server().uri() + "?session=5m");
        open.push(store);
        return store;
    }

    private static List<String> children(String path) throws Exception {
        return curator.checkExists().forPath(path) == null
                ? List.of()
                : curator.getChildren().forPath(path);
    }

    private static void awaitChildren(String path, int count) {
        await().until(() -> children(path).size() == count);
    }

    /** Those whose parties have a node. */
    private static Set<Long> sessions(String path) throws Exception {
        Set<Long> sessions = new HashSet<>();
        for (String child : children(path)) {
            if (!child.equals("ready")) {
                sessions.add(curator.checkExists().forPath(path + "/" + child).getEphemeralOwner());
            }
        }
        return sessions;
    }

    private static boolean isWatched(String path) {
        return clients.server().ask("wchp").lines().anyMatch(path::equals);
    }

    // ---- the barrier that is set and removed

    @Test
    void whatWeSet_keepsCuratorWaiting_untilWeRemoveIt() throws Exception {
        CuratorBarrier ours = store().curatorBarrier("ours");
        DistributedBarrier theirs = new DistributedBarrier(curator, "/ours");
        ours.set();
        theirs.setBarrier();
        assertThat(theirs.waitOnBarrier(20, TimeUnit.MILLISECONDS)).isFalse();
        Caller<Boolean> waiting = Caller.startAction(theirs::waitOnBarrier);
        await().until(() -> isWatched("/ours"));
        assertThat(waiting.isDone()).isFalse();

        ours.remove();

        waiting.result();
        theirs.removeBarrier();
    }

    @Test
    void whatCuratorSets_keepsUsWaiting_untilCuratorRemovesIt() throws Exception {
        DistributedBarrier theirs = new DistributedBarrier(curator, "/below/theirs");
        theirs.setBarrier();
        ZooKeeperStore below = ZooKeeperStore.at(clients.server().uri() + "/below?session=5m");
        open.push(below);
        CuratorBarrier ours = below.curatorBarrier("theirs");
        ours.set();
        assertThat(ours.isSet()).isTrue();
        assertThat(ours.await(Duration.ofMillis(20))).isFalse();
        Caller<Boolean> waiting = Caller.startAction(ours::await);
        waiting.awaitBlocked();
        assertThat(waiting.isDone()).isFalse();

        theirs.removeBarrier();

        waiting.result();
        ours.remove();
        assertThat(ours.isSet()).isFalse();
    }

    // ---- the double barrier

    private interface Party {
        void enter() throws Exception;

        void leave() throws Exception;
    }

    private Party ours(String name, int parties) {
        ZooKeeperStore store = store();
        return new Party() {
            private @Nullable Membership inside;

            @Override
            public void enter() throws Exception {
                inside = store.curatorDoubleBarrier(name, parties).enter();
            }

            @Override
            public void leave() throws Exception {
                Membership entered = Objects.requireNonNull(inside);
                assertThat(entered.isValid()).isTrue();
                entered.leave();
            }
        };
    }

    private static Party theirs(String name, int parties) {
        DistributedDoubleBarrier barrier = new DistributedDoubleBarrier(curator, "/" + name, parties);
        return new Party() {
            @Override
            public void enter() throws Exception {
                barrier.enter();
            }

            @Override
            public void leave() throws Exception {
                barrier.leave();
            }
        };
    }

    @Test
    void oursOpensForCurator_andCuratorForOurs() throws Exception {
        for (boolean oursIsLast : List.of(true, false)) {
            Party first = oursIsLast ? theirs("opens", 2) : ours("opens", 2);
            Party last = oursIsLast ? ours("opens", 2) : theirs("opens", 2);
            Caller<Boolean> entering = Caller.startAction(first::enter);
            awaitChildren("/opens", 1);
            await().until(() -> isWatched("/opens/ready"));
            assertThat(entering.isDone()).isFalse();

            last.enter();

            entering.result();
            assertThat(children("/opens")).hasSize(3).contains("ready");
            Caller<Boolean> leaving = Caller.startAction(first::leave);
            leaving.awaitBlocked();
            assertThat(leaving.isDone()).isFalse();
            last.leave();
            leaving.result();
            awaitChildren("/opens", 0);
        }
    }

    /** Two of each, in the same and in different orders of names: Curator's, too, wait for the last of ours. */
    @Tag(Effort.SCALED)
    @Test
    void roundAfterRound_allEnterAndLeaveTogether() {
        int rounds = Effort.pick(30, 1_000);
        int parties = 4;
        CyclicBarrier betweenRounds = new CyclicBarrier(parties);
        AtomicInteger entered = new AtomicInteger();
        AtomicInteger leaving = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < parties; i++) {
            boolean isOurs = i % 2 == 0;
            Party always = isOurs ? ours("rounds", parties) : theirs("rounds", parties);
            callers.add(Caller.startAction(() -> {
                for (int round = 1; round <= rounds; round++) {
                    // Curator's objects keep the name of their node: another order of names needs another object.
                    Party party = isOurs ? always : theirs("rounds", parties);
                    entered.incrementAndGet();
                    party.enter();
                    assertThat(entered.get()).as("entered in round %d", round).isEqualTo(round * parties);
                    leaving.incrementAndGet();
                    party.leave();
                    assertThat(leaving.get()).as("leaving in round %d", round).isEqualTo(round * parties);
                    // Curator's last one deletes what says that it is open only after its own node.
                    betweenRounds.await(Patience.seconds(), TimeUnit.SECONDS);
                }
            }));
        }

        callers.forEach(Caller::loopResult);

        assertThat(leaving.get()).isEqualTo(rounds * parties);
    }

    /** Curator's parties wait for the first by name, and take a barrier with a single other one for left. */
    @Test
    void oursIsFirstByName_keepsItsNode_soThatCuratorWaitsForAll() throws Exception {
        boolean wasFirst = false;
        for (int attempt = 0; !wasFirst; attempt++) {
            String name = "first" + attempt;
            Party ours = ours(name, 3);
            Party one = theirs(name, 3);
            Party another = theirs(name, 3);
            Caller<Boolean> entering = Caller.startAction(ours::enter);
            awaitChildren("/" + name, 1);
            String node = children("/" + name).get(0);
            Caller<Boolean> alsoEntering = Caller.startAction(one::enter);
            another.enter();
            entering.result();
            alsoEntering.result();
            wasFirst = node.equals(Collections.min(children("/" + name)));
            Caller<Boolean> leaving = Caller.startAction(one::leave);
            if (wasFirst) {
                awaitChildren("/" + name, 3);
            }
            Caller<Boolean> alsoLeaving = Caller.startAction(ours::leave);
            if (wasFirst) {
                String last = children("/" + name).stream()
                        .filter(each -> !each.equals(node) && !each.equals("ready"))
                        .findAny()
                        .orElseThrow();
                await().until(() -> isWatched("/" + name + "/" + last));
                assertThat(children("/" + name)).contains(node);
                assertThat(leaving.isDone() || alsoLeaving.isDone()).isFalse();
            }
            another.leave();
            leaving.result();
            alsoLeaving.result();
            awaitChildren("/" + name, 0);
        }
    }

    /** It was counted, and is not any more: neither by those who wait to enter, nor by those who leave. */
    @Test
    void killedParty_isGone_whenItsSessionEnds() throws Exception {
        String uri = clients.server().uri() + "?session=5m";
        Caller<Boolean> entering;
        Party first = theirs("killed", 3);
        try (ChildJvm child = ChildJvm.start(EnteringChild.class, uri, "killed", "3")) {
            child.await("entering", Patience.limit());
            awaitChildren("/killed", 1);
            Set<Long> session = sessions("/killed");
            entering = Caller.startAction(first::enter);
            awaitChildren("/killed", 2);
            child.kill();
            session.forEach(clients.server()::expire);
            awaitChildren("/killed", 1);
        }
        Party second = ours("killed", 3);
        Caller<Boolean> alsoEntering = Caller.startAction(second::enter);
        awaitChildren("/killed", 2);
        assertThat(entering.isDone() || alsoEntering.isDone()).isFalse();
        Set<Long> others = sessions("/killed");

        try (ChildJvm child = ChildJvm.start(EnteringChild.class, uri, "killed", "3")) {
            child.await("inside", Patience.limit());
            entering.result();
            alsoEntering.result();
            Set<Long> session = sessions("/killed");
            session.removeAll(others);
            assertThat(session).hasSize(1);
            Caller<Boolean> leaving = Caller.startAction(first::leave);
            Caller<Boolean> alsoLeaving = Caller.startAction(second::leave);
            leaving.awaitBlocked();
            alsoLeaving.awaitBlocked();
            assertThat(leaving.isDone() || alsoLeaving.isDone()).isFalse();
            child.kill();
            session.forEach(clients.server()::expire);
            leaving.result();
            alsoLeaving.result();
        }
        awaitChildren("/killed", 0);
    }

    /** The number is a threshold of each party: the smallest opens for all, and more may come. */
    @Test
    void partiesWithOtherNumbers_goByTheSmallest_andLateOnesComeIn() throws Exception {
        Caller<Boolean> wantsFive = Caller.startAction(ours("numbers", 5)::enter);
        awaitChildren("/numbers", 1);
        await().until(() -> isWatched("/numbers/ready"));

        Party wantsTwo = theirs("numbers", 2);
        wantsTwo.enter();

        wantsFive.result();
        Party late = ours("numbers", 9);
        late.enter();
        Party lateOfTheirs = theirs("numbers", 9);
        lateOfTheirs.enter();
        assertThat(children("/numbers")).hasSize(5);
    }
}
