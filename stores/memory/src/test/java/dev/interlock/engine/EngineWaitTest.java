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
    void P10_timedCaller_behindOthers_isRefusedAtItsDeadline() {
        one.acquire("n").join();
        CompletableFuture<Lease> waiting = two.acquire("n");
        advance(Duration.ofMillis(100));
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(50));
        advance(Duration.ofMillis(52));
        assertThat(waiting).isNotDone();
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** The wait bounds the time in the line. The first answer is waited for in any case, for one attempt. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 120})
    void P10_aTimedCallerStaysForTheFirstAnswer_forOneAttempt(int millis) {
        two.store.road(Road.LOSE_REQUESTS);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(millis));
        advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(timed).isNotDone();
        advance(Duration.ofMillis(2));
        assertThat(failure(timed))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("did not answer for 200 ms");
        two.store.road(Road.OPEN);
        advance(Duration.ofMinutes(1));
        assertAtRest();
    }

    /** Who has waited behind a hold of its own process knows that the lock was busy: nobody owes it a first answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P10_timedCaller_whileItsProcessHolds_isRefusedAtItsDeadline(boolean lapses) {
        Lease held = two.acquire("n", LeaseTerm.fixed(Duration.ofMillis(100))).join();
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(150));
        advance(Duration.ofMillis(90));
        two.store.road(Road.LOSE_REQUESTS);
        if (lapses) {
            held.lapseAsync(Duration.ofMinutes(1));
        }
        advance(Duration.ofMillis(59));
        assertThat(timed).isNotDone();
        advance(Duration.ofMillis(3));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        two.store.road(Road.OPEN);
        advance(Duration.ofMinutes(2));
        assertAtRest();
    }

    private static Throwable failure(CompletableFuture<?> call) {
        assertThat(call).isCompletedExceptionally();
        return call.handle((value, e) -> e).join();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void P10_aTimedCallerTakesTheGrantThatComesAfterItsTime(int millis) {
        two.store.road(Road.KEEP_ANSWERS);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(millis));
        advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(timed).isNotDone();
        two.store.road(Road.OPEN);
        two.store.letGo();
        assertThat(timed.join()).isPresent();
    }

    @Test
    void aTimedCallerIsRefusedByTheBusyThatComesAfterItsTime() {
        one.acquire("n").join();
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(5));
        advance(Duration.ofMillis(100));
        two.store.road(Road.OPEN);
        two.store.letGo();
        assertThat(timed).isCompletedWithValue(Optional.empty());
        advance(Duration.ofMinutes(1));
        assertThat(one.inspect("n").waiters()).isEmpty();
    }

    /** Only the first answer is waited for: one who knows that the lock was held is refused at its time. */
    @Test
    void timedCallerThatWasBusyOnce_isRefusedAtItsDeadline() {
        one.acquire("n").join();
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Simulation.POLL_CAP.plusMillis(50));
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        advance(Simulation.POLL_CAP.plusMillis(49));
        assertThat(timed).isNotDone();
        assertThat(two.store.count(Verb.ACQUIRE)).as("asked once more").isGreaterThan(1);
        advance(Duration.ofMillis(1).plus(Simulation.LATE));
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** The answer that another of this client waits for is the first answer for those behind it, too. */
    @Test
    void aTimedCallerBehindAnother_isEndedByTheAnswerToThat() {
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = two.acquire("n");
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(5));
        advance(Duration.ofMillis(100));
        assertThat(timed).isNotDone();
        two.store.letGo();
        assertThat(first).isCompleted();
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    /** It came when that request had been under way for a while: then it stays for the next one. */
    @Test
    void timedCallerBehindAnUnansweredOne_hasItsOwnAttempt() {
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = two.acquire("n");
        advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(10));
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(5));
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        advance(Duration.ofMillis(50));
        assertThat(timed).isNotDone();
        first.cancel(false);
        two.store.letGo();
        assertThat(timed.join()).isPresent();
    }

    /** A server may have closed a connection that was idle. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aTimedCallerWhoseFirstRequestFailsAtOnce_asksOnceMore(int millis) {
        two.store.road(Road.REFUSE_ONCE, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(millis));
        advance(Duration.ofMillis(20));
        assertThat(timed.join()).isPresent();
    }

    @Test
    void P10_aTimedCallerWhoseRequestsFail_saysSoAtItsDeadline() {
        two.store.road(Road.REFUSE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(100));
        advance(Duration.ofMillis(99));
        assertThat(timed).isNotDone();
        advance(Duration.ofMillis(1));
        assertThat(failure(timed)).hasMessageContaining("The road to the store is closed");
    }

    @Test
    void aCancelledFutureThatStaysForTheFirstAnswer_leavesAtOnce() {
        two.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ZERO);
        advance(Duration.ofMillis(50));
        timed.cancel(false);
        two.store.road(Road.OPEN);
        two.store.letGo();
        advance(Duration.ofMinutes(1));
        assertAtRest();
    }

    /** The grant cannot be relied on, but nobody else is known to hold the lock: "held" would be made up. */
    @Test
    void aGrantThatComesAfterItsLease_isNotAnswered_byRefusal() {
        two.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.lock("n")
                .tryAcquireAsync(LeaseTerm.fixed(Duration.ofMillis(50)))
                .toCompletableFuture();
        two.advance(Duration.ofMillis(100));
        two.store.letGo();
        two.advance(Simulation.ATTEMPT_TIMEOUT);
        assertThat(failure(timed)).hasMessageContaining("after the lease had ended");
    }

    // ---- connecting

    /** Loading classes, connecting and authenticating are not the store's silence. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 1_000})
    void theTimeToConnectIsNoSilence(int millis) {
        two.store.connected(false);
        two.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ofMillis(millis));
        advance(Simulation.ATTEMPT_TIMEOUT.multipliedBy(10));
        assertThat(timed).isNotDone();
        two.store.connected(true);
        advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(timed).isNotDone();
        two.store.road(Road.OPEN);
        two.store.letGo();
        assertThat(timed.join()).isPresent();
        assertThat(two.store.count(Verb.ACQUIRE)).isOne();
    }

    @Test
    void P10_aStoreThatIsSilentOnceItIsConnected_hasOneAttempt() {
        two.store.connected(false);
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ZERO);
        advance(Simulation.ATTEMPT_TIMEOUT.multipliedBy(5));
        two.store.connected(true);
        advance(Simulation.ATTEMPT_TIMEOUT.plus(Simulation.ATTEMPT_TIMEOUT.dividedBy(8)));
        assertThat(failure(timed)).hasMessageContaining("did not answer for");
    }

    /** A store bounds the time to connect by itself; one that does not is given up all the same. */
    @Test
    void P10_aStoreThatNeverConnectsIsGivenUpAfterTheStoreTimeout() {
        two.store.connected(false);
        two.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ZERO);
        CompletableFuture<Lease> endless = two.acquire("m");
        advance(Simulation.STORE_TIMEOUT.minusMillis(1));
        assertThat(timed).isNotDone();
        advance(Duration.ofMillis(2));
        assertThat(failure(timed))
                .hasMessage("Could not acquire lock 'n': the store could not be connected to for 3000 ms");
        assertThat(failure(endless))
                .hasMessage("Could not acquire lock 'm': the store could not be connected to for 3000 ms");
    }

    /** What the store says of it is an answer. */
    @Test
    void P10_aStoreThatFailsToConnectEndsTheAttempt_withItsCause() {
        two.store.connected(false);
        two.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed = two.tryAcquire("n", Duration.ZERO);
        advance(Simulation.ATTEMPT_TIMEOUT.multipliedBy(3));
        two.store.failKept();
        assertThat(failure(timed)).hasMessageContaining("The road to the store broke");
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
        advance(Duration.ofMinutes(16));
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
    void P10_callerThatWaitedForAnotherHere_survivesAFailure() {
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
