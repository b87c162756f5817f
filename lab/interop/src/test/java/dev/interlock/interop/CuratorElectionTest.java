package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.LeaderTask;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Candidates of ours and of Curator on one path (I2): never two that lead, and each has its turns. */
@Tag("long")
class CuratorElectionTest {

    private static final int TURNS = Effort.pick(40, 2_000);
    private static final int OF_EACH = 2;

    private final ZooKeeperClients clients = new ZooKeeperClients();
    private final Deque<AutoCloseable> candidates = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Office office = new Office();

    /** Where only the leader may be. */
    private static final class Office {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicBoolean met = new AtomicBoolean();
        private final List<AtomicInteger> turns = new ArrayList<>();

        /** For one more candidate: it leads for a moment. */
        Runnable door() {
            AtomicInteger own = new AtomicInteger();
            turns.add(own);
            return () -> {
                met.compareAndSet(false, inside.incrementAndGet() > 1);
                own.incrementAndGet();
                // Gives one that comes too early the time to be seen.
                LockSupport.parkNanos(1);
                inside.decrementAndGet();
            };
        }

        void check() {
            await().until(() -> met.get()
                    || (turns.stream().mapToInt(AtomicInteger::get).sum() >= TURNS
                            && turns.stream().allMatch(own -> own.get() > 0)));
            assertThat(met).as("two led at a time").isFalse();
        }
    }

    /** A {@code LeaderLatch} that gives the leadership up again and again, which takes a new one each time. */
    private final class Latches implements AutoCloseable {
        private final CuratorFramework client;
        private final Runnable door;
        private boolean closed;
        private @Nullable LeaderLatch latch;

        Latches(CuratorFramework client, Runnable door) {
            this.client = client;
            this.door = door;
            next();
        }

        private synchronized void next() {
            if (closed) {
                return;
            }
            LeaderLatch stood = new LeaderLatch(client, "/leader", "curator");
            stood.addListener(
                    new LeaderLatchListener() {
                        @Override
                        public void isLeader() {
                            door.run();
                            leave(stood);
                        }

                        @Override
                        public void notLeader() {}
                    },
                    threads);
            CuratorLock.call(() -> {
                stood.start();
                return true;
            });
            latch = stood;
        }

        /** Nothing is left to be closed if all of it was closed meanwhile: a latch refuses to be closed twice. */
        private synchronized void leave(LeaderLatch stood) {
            if (closed) {
                return;
            }
            CuratorLock.call(() -> {
                stood.close();
                return true;
            });
            next();
        }

        @Override
        public synchronized void close() {
            closed = true;
            LeaderLatch last = latch;
            if (last != null && last.getState() != LeaderLatch.State.CLOSED) {
                CuratorLock.call(() -> {
                    last.close();
                    return true;
                });
            }
        }
    }

    @AfterEach
    void close() throws Exception {
        while (!candidates.isEmpty()) {
            candidates.pop().close();
        }
        threads.shutdown();
        clients.close();
    }

    private void ours(Interlock client) {
        Runnable door = office.door();
        candidates.push(client.election("leader").join((LeaderTask) lease -> door.run()));
    }

    private LeaderSelector selector() {
        Runnable door = office.door();
        LeaderSelector selector = new LeaderSelector(clients.curator(), "/leader", new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(CuratorFramework client) {
                door.run();
            }
        });
        selector.autoRequeue();
        return selector;
    }

    /** A client of ours that stands beside {@code LeaderLatch}. */
    private Interlock besideLatches() {
        Interlock client = Interlock.builder(
                        ZooKeeperStore.at(clients.server().uri() + "?session=20s&recipe=LeaderLatch"))
                .attemptTimeout(Patience.FULL)
                .build();
        candidates.push(client);
        return client;
    }

    @Tag(Effort.SCALED)
    @Test
    void besideLeaderSelector_oneLeadsAtATime_andEachHasItsTurns() {
        for (int i = 0; i < OF_EACH; i++) {
            LeaderSelector selector = selector();
            candidates.push(selector);
            selector.start();
            ours(clients.interlock());
        }
        office.check();
    }

    @Tag(Effort.SCALED)
    @Test
    void besideLeaderLatch_oneLeadsAtATime_andEachHasItsTurns() {
        for (int i = 0; i < OF_EACH; i++) {
            candidates.push(new Latches(clients.curator(), office.door()));
            ours(besideLatches());
        }
        office.check();
    }

    @Test
    void leaderLatch_countsUs_andWeCountIt() throws Exception {
        LeaderLatch theirs = new LeaderLatch(clients.curator(), "/leader", "curator");
        theirs.start();
        candidates.push(theirs);
        assertThat(theirs.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        Interlock client = besideLatches();
        Candidacy ours = client.election("leader").join((LeaderTask) lease -> Thread.sleep(Long.MAX_VALUE));

        await().until(() -> client.election("leader").inspect().waiters().size() == 1);
        LockStatus seen = client.election("leader").inspect();
        assertThat(seen.holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.party().host()).isEqualTo("curator"));
        assertThat(theirs.getParticipants()).hasSize(2);
        assertThat(theirs.getLeader().getId()).isEqualTo("curator");
        assertThat(ours.isLeader()).isFalse();

        theirs.close(LeaderLatch.CloseMode.NOTIFY_LEADER);
        candidates.remove(theirs);
        await().until(ours::isLeader);
        assertThat(client.administration().list("leader", 10)).hasSize(1);
    }

    /** They do not exclude each other, so one of them must not go on as if they did. */
    @Test
    void lockOfTheOtherRecipe_isRefused() throws Exception {
        LeaderLatch theirs = new LeaderLatch(clients.curator(), "/leader", "curator");
        theirs.start();
        candidates.push(theirs);
        await().until(theirs::hasLeadership);

        assertThatThrownBy(() -> clients.interlock().lock("leader").lock())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LeaderLatch")
                .hasMessageContaining("leader");
        await().untilAsserted(() -> assertThat(theirs.getParticipants()).hasSize(1));
    }
}
