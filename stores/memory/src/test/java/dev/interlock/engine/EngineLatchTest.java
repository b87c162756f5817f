package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLatch;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs of a latch: what they return, and that a wait leaves no claim behind. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLatchTest {

    private static final Duration HOUR = Duration.ofHours(1);

    /** More than the tokens of a claim. */
    private static final int MANY = 1500;

    private final Simulation one = Simulation.start();
    private final DistributedLatch latch = new EngineLatch(one.core, new LockId("n", LockKind.LATCH));

    @Test
    void count_isSetOnce_andGoesDownToZero() {
        assertThat(latch.trySetCount(2)).isTrue();
        assertThat(latch.trySetCount(5)).isFalse();
        assertThat(latch.count()).isEqualTo(2);
        latch.countDown();
        latch.countDown();
        assertThat(latch.count()).isZero();
    }

    @Test
    void wait_atZero_isOver_andLeavesNothing() throws Exception {
        latch.await();
        assertThat(latch.await(HOUR)).isTrue();
        assertThat(latch.awaitAsync().toCompletableFuture()).isCompleted();
        assertThat(latch.awaitAsync(HOUR).toCompletableFuture()).isCompletedWithValue(true);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void wait_thatIsOverBeforeTheCountIsZero_saysSo() throws Exception {
        latch.trySetCount(1);
        assertThat(latch.await(Duration.ZERO)).isFalse();
        assertThat(latch.awaitAsync(Duration.ZERO).toCompletableFuture()).isCompletedWithValue(false);
        assertThat(one.isAtRest()).isTrue();
        assertThat(latch.inspect().waiters()).isEmpty();
    }

    @Test
    void waitersOfOneClient_shareOneClaim_andAreAnsweredTogether() {
        latch.trySetCount(1);
        List<CompletableFuture<Void>> waiting = IntStream.range(0, MANY)
                .mapToObj(i -> latch.awaitAsync().toCompletableFuture())
                .toList();
        assertThat(latch.inspect().waiters()).hasSize(1);
        one.store.forgetRequests();

        latch.countDown();

        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(one.store.count(Verb.EXECUTE)).as("the count is changed").isOne();
        assertThat(one.store.count(Verb.ACQUIRE)).as("the one claim is woken").isOne();
        assertThat(one.store.count(Verb.RELEASE)).isZero();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Nothing is held in the store, so that a message which arrives after the answer is about nothing. */
    @Test
    void wakeThatTheAnswerHasOvertaken_isNoLoss() {
        List<LossCause> lost = new ArrayList<>();
        Simulation told = Simulation.start((name, kind, mode) -> new LockObserver.Acquisition() {
            @Override
            public void ended(ReleaseOutcome outcome, Duration held) {
                if (outcome.isLost()) {
                    lost.add(outcome.lossCause());
                }
            }
        });
        LockId id = new LockId("n", LockKind.LATCH);
        DistributedLatch awaited = new EngineLatch(told.core, id);
        awaited.trySetCount(1);
        // Nobody looks at the result, so that the lease stays.
        var unused = awaited.awaitAsync();
        awaited.countDown();
        for (TransitStore.Request request : told.store.requests(Verb.ACQUIRE)) {
            told.core.arbiters().wake(new Wake.Changed(id, request.claim().owner()));
        }
        told.advance(Simulation.LATE);
        assertThat(lost).isEmpty();
        assertThat(told.store.count(Verb.RENEW)).isZero();
    }

    @Test
    void waitersOfOneClient_leaveOneByOne() {
        latch.trySetCount(1);
        var first = latch.awaitAsync().toCompletableFuture();
        var second = latch.awaitAsync().toCompletableFuture();
        first.cancel(false);
        assertThat(latch.inspect().waiters()).hasSize(1);
        latch.countDown();
        assertThat(second).isCompleted();
        assertThat(one.isAtRest()).isTrue();
    }

    /** The count was zero before the wait began, and is not any more: that answer is for those who waited then. */
    @Test
    void answerToARequest_isForThoseWhoCameBefore() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        var before = latch.awaitAsync().toCompletableFuture();
        DistributedLatch theirs = new EngineLatch(one.neighbour().core, new LockId("n", LockKind.LATCH));
        theirs.trySetCount(1);
        var after = latch.awaitAsync().toCompletableFuture();
        var timed = latch.awaitAsync(Simulation.LATE).toCompletableFuture();
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();

        assertThat(before).isCompleted();
        one.advance(HOUR);
        assertThat(after).isNotDone();
        assertThat(timed).isCompletedWithValue(false);
        theirs.countDown();
        assertThat(after).isCompleted();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Nobody may be left to take an answer that says zero but one who came later. */
    @Test
    void answerThatNobodyTakes_isNotForThoseWhoCameLater() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        var before = latch.awaitAsync().toCompletableFuture();
        DistributedLatch theirs = new EngineLatch(one.neighbour().core, new LockId("n", LockKind.LATCH));
        theirs.trySetCount(1);
        var after = latch.awaitAsync().toCompletableFuture();
        before.cancel(false);
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();

        assertThat(after).isNotDone();
        theirs.countDown();
        assertThat(after).isCompleted();
        assertThat(one.isAtRest()).isTrue();
    }

    /** The count may be zero since, and the wake on its way: what the store has said to others does not count. */
    @Test
    void waiterThatComes_hasTheStoreAsked() {
        latch.trySetCount(1);
        var unusedWaiting = latch.awaitAsync();
        one.store.forgetRequests();

        assertThat(latch.awaitAsync(Duration.ZERO).toCompletableFuture()).isCompletedWithValue(false);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        var short1 = latch.awaitAsync(Simulation.LATE).toCompletableFuture();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);

        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        var asking = latch.awaitAsync(Simulation.LATE).toCompletableFuture();
        one.advance(Simulation.LATE.multipliedBy(2));
        assertThat(short1).isNotDone();
        assertThat(asking).isNotDone();
        one.store.letGo();
        assertThat(short1).isCompletedWithValue(false);
        assertThat(asking).isCompletedWithValue(false);
    }

    /** The store has said once that the count is not zero, and may have heard since that it is. */
    @Test
    void wait_withoutALastAnswer_doesNotSayThatTheCountIsAboveZero() {
        for (Road road : new Road[] {Road.LOSE_REQUESTS, Road.LOSE_ANSWERS, Road.REFUSE}) {
            Simulation other = one.neighbour();
            latch.trySetCount(1);
            var waiting = latch.awaitAsync(Simulation.POLL_CAP.multipliedBy(2)).toCompletableFuture();
            one.store.road(road);
            new EngineLatch(other.core, new LockId("n", LockKind.LATCH)).countDown();
            one.advance(Simulation.POLL_CAP.multipliedBy(2).plus(Simulation.ATTEMPT_TIMEOUT), other);
            assertThat(waiting)
                    .as("%s", road)
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreUnavailableException.class);
            one.store.road(Road.OPEN);
            one.advance(HOUR, other);
        }
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void wait_thatTheStoreAnswers_saysThatTheCountIsNotZero() {
        latch.trySetCount(1);
        var waiting = latch.awaitAsync(Simulation.POLL_CAP.multipliedBy(2)).toCompletableFuture();
        one.advance(Simulation.POLL_CAP.multipliedBy(2).plus(Simulation.LATE));
        assertThat(waiting).isCompletedWithValue(false);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void wait_ofAnInterruptedThread_isNotBegun() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> latch.await(HOUR)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
    }

    @Test
    void latch_saysItsName() {
        assertThat(latch.name()).isEqualTo("n");
        assertThat(latch).hasToString("DistributedLatch[name=n]");
    }
}
