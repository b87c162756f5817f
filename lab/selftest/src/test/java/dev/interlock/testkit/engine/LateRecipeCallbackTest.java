package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidate;
import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.LeaderTask;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.barrier.DistributedDoubleBarrier;
import dev.interlock.barrier.DistributedDoubleBarrier.Membership;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Contender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Callbacks of leaders, barriers and latches that are so slow that the next leadership, generation or count has begun:
 * they do not touch that. {@link LateCallbackTest} does the same for leases.
 */
class LateRecipeCallbackTest extends EngineSuite {

    private final String name = clients().name();
    private final SlowExecutor slow = new SlowExecutor();
    private final CountDownLatch late = new CountDownLatch(1);

    private void awaitLate() {
        boolean over = false;
        while (!over) {
            try {
                late.await();
                over = true;
            } catch (InterruptedException e) {
                // This is what a stubborn callback ignores.
            }
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    // ---- leaders

    /** It has let go of its lease, so another one leads while it is still being told of its own leadership. */
    @Test
    void elected_thatReturnsLate_leavesTheNextLeaderAlone() {
        List<String> told = new CopyOnWriteArrayList<>();
        var candidacy = clients().open().election(name).join(new Candidate() {
            @Override
            public void elected(Lease leadership) {
                told.add("elected " + leadership.token());
                if (told.size() == 1) {
                    leadership.close();
                    awaitLate();
                    leadership.close();
                }
            }

            @Override
            public void ended(Lease leadership, LeadershipEnd end) {
                told.add("ended " + leadership.token() + " " + end);
            }
        });
        await().until(() -> told.size() == 1);
        Contender next = new Contender(clients().open(), name).awaitElected(1);

        assertThat(candidacy.abdicate()).isFalse();
        late.countDown();

        assertLeads(next);
        assertThat(candidacy.isLeader()).isFalse();
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).isEqualTo(told.get(0).replace("elected", "ended") + " ABDICATED");
    }

    @Test
    void task_thatReturnsLate_leavesTheNextLeaderAlone() {
        List<Long> told = new CopyOnWriteArrayList<>();
        var candidacy = clients().open().election(name).join((LeaderTask) leadership -> {
            told.add(leadership.token());
            leadership.close();
            awaitLate();
            throw new IllegalStateException("thrown by the test");
        });
        await().until(() -> told.size() == 1);
        Contender next = new Contender(clients().open(), name).awaitElected(1);

        late.countDown();

        assertLeads(next);
        assertThat(candidacy.isLeader()).isFalse();
        assertThat(told).hasSize(1);
    }

    /** The other one stands again, behind the one that leads, and has not touched its lease. */
    private void assertLeads(Contender next) {
        await().until(() -> next.election().inspect().waiters().size() == 1);
        assertThat(next.candidacy().isLeader()).isTrue();
        assertThat(next.ends()).isEmpty();
        assertThat(next.election().inspect().holders()).singleElement().satisfies(holder -> assertThat(holder.token())
                .isEqualTo(next.tokens().get(0)));
    }

    /** What the client tells of the first lease comes in the second leadership of the same candidacy. */
    @Test
    void releaseOfALeadership_thatIsToldLate_leavesTheNextAlone() {
        Contender leader = new Contender(clients().open(b -> b.callbackExecutor(slow)), name).awaitElected(1);
        Lease first = leader.candidacy().leadership().orElseThrow();
        CompletableFuture<Void> told = first.releaseAsync()
                .thenRun(() -> {
                    first.close();
                    var unused = first.releaseAsync();
                })
                .toCompletableFuture();
        leader.awaitElected(2);

        await().until(() -> {
            slow.runAll();
            return told.isDone();
        });

        assertThat(told).isCompleted();
        assertThat(leader.candidacy().leadership().orElseThrow().token())
                .isEqualTo(leader.tokens().get(1));
        assertThat(leader.ends()).hasSize(1);
        assertThat(leader.election().inspect().holders()).singleElement().satisfies(holder -> assertThat(holder.token())
                .isEqualTo(leader.tokens().get(1)));
    }

    @Test
    void slowObserver_isToldOfTheNextLeader_notAfterItsClose() {
        LeaderElection election =
                clients().open(b -> b.pollCap(Duration.ofMillis(10))).election(name);
        Contender first = new Contender(clients().open(), name).awaitElected(1);
        List<Long> seen = new CopyOnWriteArrayList<>();
        List<Long> seenClosed = new CopyOnWriteArrayList<>();
        LeaderElection.Observation observation = election.observe(leader -> {
            leader.ifPresent(holder -> seen.add(holder.token()));
            awaitLate();
        });
        LeaderElection.Observation closed = election.observe(leader -> {
            leader.ifPresent(holder -> seenClosed.add(holder.token()));
            awaitLate();
        });
        await().until(() -> seen.size() == 1 && seenClosed.size() == 1);
        Contender second = new Contender(clients().open(), name);
        await().until(() -> election.inspect().waiters().size() == 1);
        first.candidacy().close();
        second.awaitElected(1);

        closed.close();
        late.countDown();

        await().until(() -> seen.size() == 2);
        observation.close();
        assertThat(seen).containsExactly(first.tokens().get(0), second.tokens().get(0));
        assertThat(seenClosed).containsExactly(first.tokens().get(0));
    }

    // ---- barriers

    /** The gate's answer to the first generation, and what follows its stage, come when the next one is open. */
    @Test
    void generation_thatIsToldLate_leavesTheNextAlone() throws Exception {
        Interlock other = clients().open();
        DistributedBarrier here = DistributedBarrier.of(clients().open(b -> b.callbackExecutor(slow)), name, 2);
        DistributedBarrier there = DistributedBarrier.of(other, name, 2);
        CompletableFuture<Long> opened = there.awaitAsync().toCompletableFuture();
        await().until(() -> there.waiting() == 1);
        // Its executor keeps what the gate answers: it learns of the end when it looks.
        CompletableFuture<Long> first = here.awaitAsync().toCompletableFuture();
        CompletableFuture<Void> followed = first.thenRunAsync(() -> first.cancel(true), slow);
        long generation = get(opened);
        assertThat(get(first)).isEqualTo(generation);
        slow.awaitTask();

        CompletableFuture<Long> next = there.awaitAsync().toCompletableFuture();
        await().until(() -> there.waiting() == 1);
        slow.runAll();

        assertThat(followed).isCompleted();
        assertThat(there.waiting()).isEqualTo(1);
        assertThat(there.isBroken()).isFalse();
        assertThat(next).isNotDone();
        assertThat(here.await()).isEqualTo(get(next)).isGreaterThan(generation);
    }

    /** A party that leaves twice, the second time when the next generation is inside. */
    @Test
    void party_thatClosesLate_leavesTheNextGenerationInside() throws Exception {
        DistributedDoubleBarrier here = DistributedDoubleBarrier.of(clients().open(), name, 2);
        DistributedDoubleBarrier there = DistributedDoubleBarrier.of(clients().open(), name, 2);
        Membership first = enterTogether(here, there, true);
        Membership second = enterTogether(here, there, false);

        first.close();

        assertThat(second.lease().isValid()).isTrue();
        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(second.leave(Duration.ZERO)).isFalse();
    }

    private static Membership enterTogether(
            DistributedDoubleBarrier here, DistributedDoubleBarrier there, boolean andLeave) throws Exception {
        CompletableFuture<Membership> other = CompletableFuture.supplyAsync(() -> {
            try {
                Membership entered = there.enter();
                if (andLeave) {
                    entered.leave();
                }
                return entered;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Membership entered = here.enter();
        if (andLeave) {
            entered.leave();
        }
        get(other);
        return entered;
    }

    // ---- latches

    @Test
    void awaitStage_thatIsToldLate_leavesTheNextCountAlone() {
        assertThat(toldLate(DistributedLatch::awaitAsync)).isCompleted();
    }

    @Test
    void timedAwaitStage_thatIsToldLate_leavesTheNextCountAlone() {
        assertThat(toldLate(latch -> latch.awaitAsync(Duration.ofHours(1)))).isCompletedWithValue(true);
    }

    /** A wait that is over; it is told of when the latch has been set again, and others wait for that. */
    private <T> CompletableFuture<T> toldLate(Function<DistributedLatch, CompletionStage<T>> form) {
        DistributedLatch latch = clients().open(b -> b.callbackExecutor(slow)).latch(name);
        DistributedLatch elsewhere = clients().open().latch(name);
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<T> first = form.apply(latch).toCompletableFuture();
        await().until(() -> elsewhere.inspect().waiters().size() == 1);
        elsewhere.countDown();
        slow.awaitTask();
        assertThat(elsewhere.trySetCount(1)).isTrue();
        CompletableFuture<T> next = form.apply(latch).toCompletableFuture();
        await().until(() -> elsewhere.inspect().waiters().size() == 1);

        slow.runAll();

        assertThat(first).isDone();
        assertThat(first.cancel(true)).isFalse();
        assertThat(next).isNotDone();
        assertThat(elsewhere.count()).isEqualTo(1);
        assertThat(elsewhere.inspect().waiters()).hasSize(1);
        elsewhere.countDown();
        await().until(() -> {
            slow.runAll();
            return next.isDone();
        });
        assertThat(next).isCompleted();
        return first;
    }
}
