package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Candidate;
import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.LeaderTask;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Contender;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Candidacies: who joins, what a candidate is told and when, and how a candidacy ends. */
class ElectionTest extends EngineSuite {

    private final Interlock client = clients().open();
    private final String name = clients().name();

    /** What a candidate does when it is told. */
    private abstract static class Quiet implements Candidate {
        @Override
        public void elected(Lease leadership) {}

        @Override
        public void ended(Lease leadership, LeadershipEnd end) {}
    }

    @Test
    void join_twice_isRefused_untilTheFirstHasLeft() {
        Contender first = new Contender(client, name).awaitElected(1);
        assertThatThrownBy(() -> client.election(name).join(new Quiet() {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(name);
        assertThat(first.candidacy().isLeader()).isTrue();

        first.candidacy().close();
        new Contender(client, name).awaitElected(1);
    }

    @Test
    void closedClient_refusesToJoinAndToObserve() {
        client.close();
        LeaderElection election = client.election(name);
        assertThatThrownBy(() -> election.join(new Quiet() {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> election.observe(leader -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingTheClient_endsCandidacies_theLeaderIsTold() {
        Contender leader = new Contender(client, name).awaitElected(1);
        Interlock other = clients().open();
        Contender waiter = new Contender(other, name);
        await().until(() -> waiter.election().inspect().waiters().size() == 1);

        other.close();
        client.close();

        assertThat(waiter.tokens()).isEmpty();
        assertThat(leader.ends()).containsExactly(new LeadershipEnd(Reason.LEFT, null));
        assertThat(leader.candidacy().isLeader()).isFalse();
        LockStatus rest = clients().open().election(name).inspect();
        assertThat(rest.isLocked()).isFalse();
        assertThat(rest.waiters()).isEmpty();
    }

    @Test
    void leader_neitherBlocksNorMisleads_whoReleasesTheLeaseItself() {
        Contender leader = new Contender(client, name).awaitElected(1);
        leader.candidacy().leadership().orElseThrow().close();
        leader.awaitEnded(1).awaitElected(2);
        assertThat(leader.ends()).containsExactly(new LeadershipEnd(Reason.ABDICATED, null));
    }

    @Test
    void longestHold_endsTheLeadership_andTheNextHasItsTurn() {
        LockOptions brief = LockOptions.builder()
                .lease(LeaseTerm.renewing(Duration.ofMinutes(1)).maxHold(Duration.ofMillis(100)))
                .build();
        Contender first = new Contender(client, name, brief).awaitElected(1);
        Contender second = new Contender(clients().open(), name, brief);
        second.awaitElected(1);
        first.awaitEnded(1).awaitElected(2);
        assertThat(first.ends().get(0)).isEqualTo(new LeadershipEnd(Reason.LOST, LossCause.EXPIRED));
    }

    /** Also to one that abdicates, leaves or throws while it is being told. */
    @Test
    void calls_comeOneAfterTheOther_whateverTheCandidateDoes() {
        CompletableFuture<Candidacy> own = new CompletableFuture<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicBoolean overlapped = new AtomicBoolean();
        List<String> calls = new CopyOnWriteArrayList<>();
        own.complete(client.election(name).join(new Candidate() {
            private void call(String what) {
                overlapped.compareAndSet(false, inside.incrementAndGet() > 1);
                calls.add(what);
                // It is called at once, while it still joins.
                own.join();
            }

            @Override
            public void elected(Lease leadership) {
                call("elected");
                Candidacy candidacy = own.join();
                if (calls.size() > 4) {
                    candidacy.close();
                } else {
                    candidacy.abdicate();
                }
                inside.decrementAndGet();
            }

            @Override
            public void ended(Lease leadership, LeadershipEnd end) {
                call(end.toString());
                assertThat(leadership.isValid()).isTrue();
                inside.decrementAndGet();
                throw new IllegalArgumentException("thrown by the test");
            }
        }));

        await().until(() -> calls.size() == 6);
        own.join().close();
        assertThat(calls).containsExactly("elected", "ABDICATED", "elected", "ABDICATED", "elected", "LEFT");
        assertThat(overlapped).isFalse();
        assertThat(own.join().toString()).contains("LEFT");
    }

    @Test
    void abdicate_ofOneThatDoesNotLead_changesNothing() {
        Contender leader = new Contender(client, name).awaitElected(1);
        Contender waiter = new Contender(clients().open(), name);
        assertThat(waiter.candidacy().abdicate()).isFalse();
        assertThat(leader.candidacy().isLeader()).isTrue();
        waiter.candidacy().close();
        assertThat(waiter.candidacy().abdicate()).isFalse();
        waiter.candidacy().close();
    }

    // ---- the task

    /** And joins again by itself. */
    @Test
    void task_isInterrupted_andHasReturned_beforeTheNextLeads() {
        AtomicInteger running = new AtomicInteger();
        AtomicBoolean two = new AtomicBoolean();
        List<Candidacy> candidacies = new ArrayList<>();
        List<Integer> led = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            candidacies.add(clients().open().election(name).join((LeaderTask) lease -> {
                led.add(number);
                two.compareAndSet(false, running.incrementAndGet() > 1);
                try {
                    Thread.sleep(Duration.ofDays(1).toMillis());
                } finally {
                    // Gives a leader that comes too early the time to be seen.
                    Thread.interrupted();
                    Thread.sleep(5);
                    running.decrementAndGet();
                }
            }));
            await().until(() -> {
                LockStatus status = client.election(name).inspect();
                return status.isLocked() && status.waiters().size() == number;
            });
        }
        for (int turn = 0; turn < 6; turn++) {
            int seen = turn + 1;
            await().until(() -> led.size() == seen);
            Candidacy leader = candidacies.get(turn % 2);
            await().until(() -> client.election(name).inspect().waiters().size() == 1);
            assertThat(leader.abdicate()).isTrue();
        }
        candidacies.forEach(Candidacy::close);
        assertThat(two).isFalse();
        assertThat(running).hasValue(0);
        assertThat(led.subList(0, 6)).containsExactly(0, 1, 0, 1, 0, 1);
    }

    @Test
    void task_thatReturns_isRunAgain_andOneThatThrows_isLogged() {
        AtomicInteger runs = new AtomicInteger();
        try (LogWatch log = new LogWatch()) {
            Candidacy candidacy = client.election(name).join((LeaderTask) lease -> {
                if (runs.incrementAndGet() == 3) {
                    throw new IllegalArgumentException("thrown by the test");
                }
            });
            await().until(() -> runs.get() >= 5);
            candidacy.close();
            assertThat(log.problems()).anyMatch(line -> line.contains("task of the leader of election '" + name));
        }
    }

    /** Its own thread does not wait for itself. */
    @Test
    void task_mayCloseItsCandidacy() {
        CompletableFuture<Candidacy> own = new CompletableFuture<>();
        own.complete(client.election(name).join((LeaderTask) lease -> {
            own.join().close();
            assertThat(own.join().isLeader()).isFalse();
        }));
        await().until(() -> own.join().toString().contains("LEFT"));
        assertThat(client.lock(name).isLocked()).isFalse();
    }

    /** What else the client has to call may stand behind a callback that blocks. */
    @Test
    void lostLeadership_endsTheTask_withoutTheCallbackExecutor() {
        Interlock busy = clients().open(builder -> builder.callbackExecutor(callback -> {}));
        LockOptions brief = LockOptions.builder()
                .lease(LeaseTerm.renewing(Duration.ofMinutes(1)).maxHold(Duration.ofMillis(100)))
                .build();
        AtomicInteger interrupts = new AtomicInteger();
        busy.election(name, brief).join((LeaderTask) lease -> {
            try {
                Thread.sleep(Duration.ofDays(1).toMillis());
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
            }
        });
        await().until(() -> interrupts.get() >= 2);
        Contender candidate = new Contender(busy, clients().name(), brief).awaitEnded(1);
        assertThat(candidate.ends().get(0)).isEqualTo(new LeadershipEnd(Reason.LOST, LossCause.EXPIRED));
    }

    @Test
    void task_thatReleasesTheLeaseItself_isInterrupted() {
        AtomicInteger interrupts = new AtomicInteger();
        client.election(name).join((LeaderTask) lease -> {
            lease.close();
            try {
                Thread.sleep(Duration.ofDays(1).toMillis());
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
            }
        });
        await().until(() -> interrupts.get() >= 2);
    }

    /** Each of them ends only when all are told. What they do meanwhile may need the client. */
    @Test
    void closingTheClient_tellsAllLeadersAtOnce_andWaitsForAll() {
        leadersThatEndTogether_end(candidacies -> client.close());
    }

    @Test
    void candidacies_leaveSideBySide() {
        leadersThatEndTogether_end(candidacies -> {
            candidacies.forEach(Candidacy::leave);
            assertThat(candidacies).noneMatch(Candidacy::isLeader);
            candidacies.forEach(Candidacy::close);
        });
    }

    private void leadersThatEndTogether_end(Consumer<List<Candidacy>> ending) {
        CyclicBarrier all = new CyclicBarrier(3);
        AtomicInteger leading = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        List<String> names =
                List.of(clients().name(), clients().name(), clients().name());
        List<Candidacy> candidacies = new ArrayList<>();
        for (String each : names) {
            candidacies.add(client.election(each).join((LeaderTask) lease -> {
                leading.incrementAndGet();
                try {
                    Thread.sleep(Duration.ofDays(1).toMillis());
                } catch (InterruptedException e) {
                    all.await();
                    client.lock(each + "-sync").run(() -> {});
                    client.lock(each + "-async")
                            .acquireAsync()
                            .toCompletableFuture()
                            .get()
                            .close();
                    ended.incrementAndGet();
                }
            }));
        }
        await().until(() -> leading.get() == 3);

        ending.accept(candidacies);

        assertThat(ended).hasValue(3);
        assertThat(names).noneMatch(each -> clients().open().lock(each).isLocked());
    }

    // ---- leaderships that fail, or are given up at once

    /** It has not done a leader's work, so somebody else does, and is not told of each attempt. */
    @Test
    void candidate_thatThrows_givesWay_andTriesAgainAfterAPause() {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (LogWatch log = new LogWatch()) {
            Candidacy failing = client.election(name).join(new Candidate() {
                @Override
                public void elected(Lease leadership) {
                    calls.add("elected");
                    throw new IllegalArgumentException("thrown by the test");
                }

                @Override
                public void ended(Lease leadership, LeadershipEnd end) {
                    calls.add(end.toString());
                }
            });
            await().until(() -> failing.toString().contains("PAUSED"));
            Contender other = new Contender(clients().open(), name).awaitElected(1);
            await().until(() -> client.election(name).inspect().waiters().size() == 1);
            other.candidacy().close();
            await().until(() -> calls.size() == 4);
            failing.close();

            assertThat(calls).containsExactly("elected", "ABDICATED", "elected", "ABDICATED");
            assertThat(log.problems()).singleElement().asString().contains("election '" + name + "' threw");
        }
    }

    @Test
    void task_thatReturnsAtOnce_pausesLongerEachTime_warnsOnce() {
        try (LogWatch log = new LogWatch()) {
            Candidacy candidacy = client.election(name).join((LeaderTask) lease -> {});
            await().until(() -> !log.problems().isEmpty());
            await().until(() -> candidacy.toString().contains("PAUSED"));
            candidacy.close();
            assertThat(log.problems()).singleElement().asString().contains(name).contains("as soon as it leads");
        }
    }

    // ---- a store that is away

    @Test
    void silentStore_endsTheLeadership_andTheCandidateStandsAgain() {
        SwitchableStore store = new SwitchableStore(clients().store());
        Interlock cut = clients().open(store, builder -> builder.storeTimeout(Duration.ofMillis(200))
                .attemptTimeout(Duration.ofMillis(50)));
        LockOptions brief = LockOptions.builder()
                .lease(LeaseTerm.renewing(Duration.ofMillis(300)))
                .build();
        try (LogWatch log = new LogWatch()) {
            Contender leader = new Contender(cut, name, brief).awaitElected(1);
            store.mode(SwitchableStore.Mode.REFUSING);
            leader.awaitEnded(1);
            assertThat(leader.ends().get(0).reason()).isEqualTo(Reason.LOST);
            // A machine that stands still may have ended a leadership before the fault, and this is the next one.
            await().until(() -> !leader.candidacy().isLeader());
            await().until(() -> log.problems().stream().anyMatch(line -> line.contains(name)));
            int told = leader.tokens().size();

            store.mode(SwitchableStore.Mode.HEALTHY);
            leader.awaitElected(told + 1);
        }
    }

    @Test
    void observer_ofASilentStore_goesOnWhenItIsBack() {
        SwitchableStore store = new SwitchableStore(clients().store());
        Interlock cut = clients()
                .open(store, builder -> builder.pollCap(Duration.ofMillis(10)).attemptTimeout(Duration.ofMillis(50)));
        List<Optional<LockStatus.Holder>> seen = new CopyOnWriteArrayList<>();
        LeaderElection.Observation observation = cut.election(name).observe(seen::add);
        await().until(() -> seen.size() == 1);
        for (SwitchableStore.Mode away : List.of(SwitchableStore.Mode.SILENT, SwitchableStore.Mode.REFUSING)) {
            int known = seen.size();
            store.mode(away);
            long before = store.struck();
            await().until(() -> store.struck() >= before + 2);
            Contender leader = new Contender(client, name).awaitElected(1);
            store.mode(SwitchableStore.Mode.HEALTHY);
            await().until(() -> seen.size() == known + 1);
            leader.candidacy().close();
            await().until(() -> seen.size() == known + 2);
        }
        observation.close();
        new Contender(client, name).awaitElected(1);
        assertThat(seen).hasSize(5);
        assertThat(seen.get(4)).isEmpty();
    }

    /** The name stays locked, and has a holder in the store; but that leads nobody. */
    @Test
    void leaderThatLeavesTheNameToLapse_isNoLeaderAnyMore() {
        Interlock observing = clients().open(builder -> builder.pollCap(Duration.ofMillis(10)));
        List<Optional<Long>> seen = new CopyOnWriteArrayList<>();
        Contender leader = new Contender(client, name).awaitElected(1);
        LeaderElection.Observation observation =
                observing.election(name).observe(told -> seen.add(told.map(LockStatus.Holder::token)));
        await().until(() -> seen.size() == 1);

        leader.candidacy().leadership().orElseThrow().lapse(Duration.ofHours(1));

        await().until(() -> seen.size() == 2);
        observation.close();
        assertThat(observing.election(name).inspect().holders()).hasSize(1);
        assertThat(seen).containsExactly(Optional.of(leader.tokens().get(0)), Optional.empty());
    }

    /** Each leadership ends by its longest hold, and nobody leads for the delay after it. */
    @Test
    void lockDelay_keepsTheNextLeaderOut_forItsTime() {
        Duration delay = Duration.ofMillis(300);
        Duration limit = Duration.ofMillis(200);
        LockOptions options = LockOptions.builder()
                .lease(LeaseTerm.renewing(Duration.ofSeconds(2)).maxHold(limit))
                .lockDelay(delay)
                .build();
        long start = System.nanoTime();
        Contender first = new Contender(client, name, options).awaitElected(1);
        new Contender(clients().open(), name, options).awaitElected(1);

        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(limit.plus(delay).toNanos());
        first.awaitEnded(1);
    }

    /** Not one bound after the other. */
    @Tag(Effort.TIMING)
    @Test
    void leadersThatDoNotEnd_haveOneBoundTogether() {
        Duration bound = Duration.ofSeconds(2);
        for (boolean ofTheClient : List.of(true, false)) {
            Interlock closing = clients().open(builder -> builder.closeTimeout(bound));
            CountDownLatch end = new CountDownLatch(1);
            List<Candidacy> candidacies = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                candidacies.add(closing.election(clients().name()).join((LeaderTask) lease -> {
                    while (end.getCount() > 0) {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            // This is what it ignores.
                        }
                    }
                }));
            }
            await().until(() -> candidacies.stream().allMatch(Candidacy::isLeader));
            long start = System.nanoTime();
            if (ofTheClient) {
                closing.close();
            } else {
                candidacies.forEach(Candidacy::leave);
                candidacies.forEach(Candidacy::close);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(bound, bound.multipliedBy(3).dividedBy(2));
            end.countDown();
        }
    }
}
