package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting, on the manual clock, against another client of the same store. Invariants I5, I6, I7. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineWaitTest {

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    @Test
    void aReleaseWakesTheNextClientAtOnce() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        advance(Duration.ofMillis(100));
        assertThat(waiting).isNotDone();
        held.close();
        assertThat(waiting).isCompleted();
        assertThat(two.store.count(Verb.ACQUIRE))
                .as("one to line up, one to take")
                .isEqualTo(2);
        waiting.join().close();
        assertAtRest();
    }

    /** P11: the wake is lost; the poll cap bounds the wait. */
    @Test
    void P11_aLostWakeCostsAtMostThePollCap() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        advance(Duration.ofSeconds(5));
        one.memory.onWake(id -> {});
        two.memory.onWake(id -> {});
        held.close();
        assertThat(waiting).isNotDone();
        advance(Simulation.POLL_CAP);
        assertThat(waiting).isCompleted();
    }

    @Test
    void aDeadHolderIsFollowedAfterItsLeaseAndAPollAtMost() {
        one.acquire("n", LeaseTerm.renewing(Duration.ofSeconds(3))).join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        // The holder's process is dead: its client takes no turns.
        two.advance(Duration.ofMillis(2_999));
        assertThat(waiting).isNotDone();
        two.advance(Simulation.POLL_CAP.plusMillis(2));
        assertThat(waiting).isCompleted();
    }

    /** The store says how long the holder's lease lasts: that is when a waiter asks again, not a poll cap later. */
    @Test
    void aWaiterAsksAgainWhenTheHoldersLeaseIsOver() {
        one.acquire("n", LeaseTerm.fixed(Duration.ofMillis(100))).join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        two.advance(Duration.ofMillis(99));
        assertThat(waiting).isNotDone();
        two.advance(Duration.ofMillis(3));
        assertThat(waiting).isCompleted();
    }

    @Test
    void aWaiterPollsAboutOncePerCap() {
        one.acquire("n", LeaseTerm.fixed(Duration.ofMinutes(5))).join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        two.store.forgetRequests();
        advance(Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();
        assertThat(two.store.count(Verb.ACQUIRE)).isBetween(59, 81);
    }

    @Test
    void aTimedCallerIsRefusedAtItsDeadlineAndLeavesNothing() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(100));
        advance(Duration.ofMillis(99));
        assertThat(timed).isNotDone();
        assertThat(one.inspect("n").waiters()).hasSize(1);
        advance(Duration.ofMillis(2));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        assertThat(one.inspect("n").waiters()).isEmpty();
        held.close();
        assertAtRest();
    }

    /** The store's last word is "busy" and still good: silence would be the wrong thing to say. */
    @Test
    void P10_aTimedCallerThatComesWhileOthersWaitIsRefusedAtItsDeadline() {
        one.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        advance(Duration.ofMillis(100));
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(50));
        advance(Duration.ofMillis(52));
        assertThat(waiting).isNotDone();
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** A caller whose time is over stays for the store's very first answer, but no longer than 30 ms. */
    @Test
    void P10_aSilentStoreCostsATimedCallerThirtyMillisMore() {
        two.store.road(Road.LOSE_REQUESTS);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(120));
        advance(Duration.ofMillis(149));
        assertThat(timed).isNotDone();
        advance(Duration.ofMillis(3));
        assertThat(timed).isCompletedExceptionally();
        assertThat(timed.handle((lease, e) -> e).join()).isInstanceOf(StoreUnavailableException.class);
        two.store.road(Road.OPEN);
        advance(Duration.ofMinutes(1));
        assertAtRest();
    }

    /** What a wait ends with while no answer comes: empty, or "silent". */
    private Object endOf(String name, Duration wait) {
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire(name, wait);
        advance(wait.plusMillis(31));
        assertThat(timed).isDone();
        return timed.handle((lease, e) -> e instanceof StoreUnavailableException ? "silent" : lease)
                .join();
    }

    /** One late answer is no silence: the store is busy, or this process is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void P10_aShortWaitWithoutAnAnswerIsRefusedAndLeavesNothing(int millis) {
        two.acquire("n").join().close();
        advance(Duration.ofHours(1));
        two.store.road(Road.LOSE_ANSWERS, Verb.ACQUIRE);
        assertThat(endOf("n", Duration.ofMillis(millis))).isEqualTo(Optional.empty());
        assertThat(two.inspect("n").isLocked()).as("taken back").isFalse();
        advance(Duration.ofMinutes(1));
        assertAtRest();
    }

    /** Of the store nothing is known yet: it may take longer than this to connect. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void P10_aShortWaitOfTheFirstCallIsRefused(int millis) {
        two.store.road(Road.LOSE_REQUESTS);
        assertThat(endOf("n", Duration.ofMillis(millis))).isEqualTo(Optional.empty());
    }

    /** A store is silent when half of an attempt has passed since an answer was missed, until it answers again. */
    @Test
    void P10_shortWaitsNoticeThatTheStoreIsSilentAndThatItIsBack() {
        Duration brief = Duration.ofMillis(5);
        two.acquire("n").join().close();
        advance(Duration.ofHours(1));
        two.store.road(Road.LOSE_REQUESTS);
        assertThat(endOf("a", brief)).isEqualTo(Optional.empty());
        advance(Simulation.ATTEMPT_TIMEOUT.dividedBy(2).minusMillis(37));
        assertThat(endOf("b", brief)).isEqualTo(Optional.empty());
        assertThat(endOf("c", brief)).isEqualTo("silent");
        assertThat(endOf("d", Duration.ZERO)).isEqualTo("silent");

        two.store.road(Road.OPEN, Verb.RELEASE);
        advance(Duration.ofMinutes(1));
        assertThat(endOf("e", brief)).isEqualTo(Optional.empty());
    }

    /** Answers to others show that the store is not silent, but not for longer than "lately". */
    @Test
    void P10_aLongWaitWithoutAnAnswerIsRefusedOnlyIfOthersGetAnswers() {
        Duration wait = Simulation.ATTEMPT_TIMEOUT.dividedBy(2);
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        assertThat(endOf("a", wait)).isEqualTo("silent");

        two.store.road(Road.OPEN, Verb.ACQUIRE);
        Lease held = two.acquire("held").join();
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("b", wait);
        advance(wait.dividedBy(2));
        held.close();
        advance(wait);
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** The reply to the acquire of another name is the only one. */
    @Test
    void P10_aWaitWithoutAnAnswerIsRefused_ifAnotherAcquireGetsOne() {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = one.tryAcquire("n", Duration.ofMillis(150));
        one.advance(Duration.ofMillis(100));
        one.store.road(Road.OPEN);
        assertThat(one.acquire("another")).isCompleted();
        one.advance(Duration.ofMillis(100));
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** A request that fails is more than one that is late: all short waits say so until the store answers. */
    @Test
    void P10_afterAFailureShortWaitsSayThatTheStoreIsSilent() {
        two.acquire("n").join().close();
        two.store.road(Road.REFUSE);
        assertThat(endOf("a", Duration.ofMillis(5))).isEqualTo("silent");
        two.store.road(Road.LOSE_REQUESTS);
        assertThat(endOf("b", Duration.ofMillis(5))).isEqualTo("silent");
    }

    /** Renewals that are not answered show it, too. */
    @Test
    void P10_missedRenewalsShowThatTheStoreIsSilent() {
        two.acquire("held", LeaseTerm.renewing(Duration.ofSeconds(3))).join();
        two.store.road(Road.LOSE_REQUESTS);
        advance(Duration.ofMillis(1_500));
        assertThat(endOf("a", Duration.ofMillis(5))).isEqualTo("silent");
    }

    @Test
    void anAnswerInTheGraceIsTaken() {
        two.store.road(Road.KEEP_ANSWERS);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(50));
        advance(Duration.ofMillis(75));
        two.store.road(Road.OPEN);
        two.store.letGo();
        assertThat(timed.join()).isPresent();
    }

    /** Also where one attempt may take longer than that. */
    @Test
    void P10_noAttemptIsLongerThanTheStoreTimeout() {
        Simulation unhurried = Simulation.unhurried();
        unhurried.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = unhurried.acquire("n");
        unhurried.advance(Simulation.STORE_TIMEOUT.plusMillis(20));
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void P10_anUnboundedCallerGivesUpAfterTheStoreTimeout() {
        two.store.road(Road.LOSE_REQUESTS);
        CompletableFuture<Lease> waiting = two.acquire("n");
        advance(Simulation.STORE_TIMEOUT.minusMillis(1));
        assertThat(waiting).isNotDone();
        advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(501));
        assertThat(waiting.handle((lease, e) -> e).join()).isInstanceOf(StoreUnavailableException.class);
        advance(Duration.ofMinutes(1));
        assertAtRest();
    }

    @Test
    void P10_anUnboundedCallerStaysWhileTheStoreAnswersNowAndThen() {
        one.acquire("n", LeaseTerm.fixed(Duration.ofMinutes(10))).join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        for (int i = 0; i < 20; i++) {
            two.store.road(Road.REFUSE);
            two.advance(Simulation.STORE_TIMEOUT.dividedBy(2));
            two.store.road(Road.OPEN);
            two.advance(Duration.ofSeconds(1));
        }
        assertThat(waiting).isNotDone();
    }

    /** While a caller of this client holds nobody asks the store: that is no silence. */
    @Test
    void P10_aCallerWhoHasWaitedForAnotherOfThisClientSurvivesAFailure() {
        Lease held = two.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n", LeaseTerm.fixed(Duration.ofMinutes(10)));
        advance(Simulation.STORE_TIMEOUT.multipliedBy(3));
        two.store.road(Road.REFUSE, Verb.ACQUIRE);
        held.close();
        advance(Duration.ofMillis(5));
        two.store.road(Road.OPEN);

        advance(Duration.ofSeconds(1));

        assertThat(waiting).isCompletedWithValueMatching(Lease::isValid);
    }

    /** The process was stopped while an answer came: that says nothing about the store. */
    @Test
    void I5_anAnswerFoundAfterAPauseDoesNotSlowThePollsDown() {
        Lease held = one.acquire("n").join();
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = two.acquire("n");
        two.clock.advance(Duration.ofSeconds(20));
        two.store.letGo();
        two.store.road(Road.OPEN);
        two.store.forgetRequests();

        two.advance(Simulation.STORE_TIMEOUT);

        assertThat(waiting).isNotDone();
        assertThat(two.store.count(Verb.ACQUIRE)).isPositive();
        held.close();
    }

    /** The first request of a client has to connect: that says nothing about those after it. */
    @Test
    void I5_aFirstAnswerThatWasSlowKeepsNobodyFromWhatHasComeFree() {
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = two.acquire("first");
        two.advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        two.store.letGo();
        assertThat(first).isCompleted();
        two.store.road(Road.OPEN);
        one.acquire("n", LeaseTerm.fixed(Duration.ofMillis(50))).join();

        CompletableFuture<Lease> waiting = two.acquire("n");
        two.advance(Duration.ofMillis(55));

        assertThat(waiting).isCompletedWithValueMatching(Lease::isValid);
    }

    /** What stood in the queue would fail all that come later. */
    @Test
    @SuppressWarnings("NullAway")
    void aTermThatIsNullIsRefused_andNobodyElseNoticesIt() {
        assertThatThrownBy(() -> one.acquire("n", null).join()).isInstanceOf(NullPointerException.class);
        Lease held = one.acquire("n").join();
        assertThatThrownBy(() -> one.acquire("n", null).join()).isInstanceOf(NullPointerException.class);
        assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertAtRest();
    }

    @Test
    void P25_aStoreThatFailsAtOnceIsAskedWithPauses() {
        two.store.road(Road.REFUSE);
        CompletableFuture<Lease> waiting = two.acquire("n");
        two.advance(Duration.ofMillis(2_400));
        assertThat(waiting).isNotDone();
        // 10, 20 ... 320 ms, then every 375 to 500 ms.
        assertThat(two.store.count(Verb.ACQUIRE)).isBetween(8, 14);
        two.store.road(Road.OPEN);
        two.advance(Duration.ofMillis(500).plus(Simulation.LATE));
        assertThat(waiting).isCompleted();
    }

    @Test
    void aCancelledFutureLeavesNothing() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        assertThat(one.inspect("n").waiters()).hasSize(1);
        waiting.cancel(false);
        assertThat(one.inspect("n").waiters()).isEmpty();
        held.close();
        assertAtRest();
    }

    private void advance(Duration time) {
        one.advance(time, two);
    }

    private void assertAtRest() {
        assertThat(one.isAtRest()).isTrue();
        assertThat(two.isAtRest()).isTrue();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.inspect("n").waiters()).isEmpty();
    }
}
