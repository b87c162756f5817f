package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states of a pending release: every legal move happens, and each of its rules keeps a claim from being forgotten.
 */
class PendingReleaseTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(150);

    private final Simulation one = Simulation.start();
    private final Claim claim = claim(1);
    private final List<PendingRelease> done = new ArrayList<>();

    // ---- the table

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void transition_happensWhereTheTableAllows_andNowhereElse(ReleaseState from, ReleaseState to) {
        PendingRelease release = in(from);
        assertThat(release.state()).isEqualTo(from);
        if (from.next().contains(to)) {
            release.transition(to, "test");
            assertThat(release.state()).isEqualTo(to);
        } else {
            assertThatThrownBy(() -> release.transition(to, "test"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from " + from + " to " + to + " (test)")
                    .hasMessageContaining(claim.id().name());
            assertThat(release.state()).isEqualTo(from);
        }
    }

    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (ReleaseState from : ReleaseState.values()) {
            for (ReleaseState to : ReleaseState.values()) {
                pairs.add(Arguments.of(from, to));
            }
        }
        return pairs;
    }

    /** A pending release in this state, brought there by the store's replies. */
    private PendingRelease in(ReleaseState state) {
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        PendingRelease release = state == ReleaseState.FINDING_CAUSE ? held() : unheld(Outstanding.ACQUIRE);
        switch (state) {
            case NEW -> {}
            case RELEASING -> release.start(false);
            case OVERTAKEN -> {
                release.start(false);
                assertThat(release.onAcquireReply(true, true)).isTrue();
            }
            case PAUSED -> {
                one.store.road(Road.REFUSE, Verb.RELEASE);
                release.start(false);
            }
            case ANSWERED -> {
                one.store.road(Road.OPEN);
                release.start(false);
            }
            case FINDING_CAUSE -> {
                one.store.road(Road.KEEP_ANSWERS, Verb.RENEW);
                release.start(false);
                one.store.letGo();
            }
            case DONE -> {
                one.store.road(Road.OPEN);
                grant();
                release.start(false);
            }
        }
        return release;
    }

    // ---- replies that are not final

    /** The rule "overtaken": the release may have been executed before the acquire whose reply came first. */
    @Test
    void notThere_overtakenByTheAcquiresReply_isReleasedAgain() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        release.start(false);
        grant();
        release.onAcquireReply(true, true);
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertThat(isHeldInStore()).isFalse();
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(2);
        assertThat(done).containsExactly(release);
    }

    /** It was there: an acquire that was never held before is executed once, and so nothing can follow. */
    @Test
    void thereAfterAnAcquire_isFinal() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        grant();
        release.start(false);
        assertThat(done).containsExactly(release);
        assertThat(release.onAcquireReply(true, true)).as("taken in").isFalse();
    }

    /** The rule "held before": what was there may be the held claim, and the conversion bring it back. */
    @Test
    void thereAfterAConversion_isNotFinal_untilThatIsAnswered() {
        PendingRelease release = unheld(Outstanding.FURTHER_ACQUIRE);
        grant();
        release.start(false);
        assertThat(release.state()).isEqualTo(ReleaseState.ANSWERED);
        assertThat(done).isEmpty();
        grant();
        release.onAcquireReply(true, true);
        assertThat(isHeldInStore()).isFalse();
        assertThat(done).containsExactly(release);
    }

    /** The same while a release is under way: that it was there says nothing about the conversion. */
    @Test
    void thereAfterAConversionOvertookIt_isReleasedAgainAtOnce() {
        PendingRelease release = unheld(Outstanding.FURTHER_ACQUIRE);
        grant();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        release.start(false);
        grant();
        release.onAcquireReply(true, true);
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertThat(isHeldInStore()).isFalse();
        assertThat(done).containsExactly(release);
    }

    @Test
    void notThere_whileAnAcquireIsUnderWay_isAskedAgainAfterAPause() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        release.start(false);
        assertThat(release.state()).isEqualTo(ReleaseState.ANSWERED);
        assertThat(release.isAnswered()).isTrue();
        grant();
        one.clock.advance(PAUSE);
        release.tick(one.core.context().now());
        assertThat(isHeldInStore()).isFalse();
        assertThat(done).containsExactly(release);
    }

    /** A store may list a claim that waits for longer than its lease: a wake goes to it, and others wait. */
    @Test
    void notThere_whileAClaimMayYetBeListed_isAskedAgain() {
        Claim waiting = claim(1).withLease(Duration.ofMillis(60)).waiting(Duration.ZERO);
        PendingRelease release = new PendingRelease(
                one.core.context().store(),
                one.core.context().supervisor(),
                waiting,
                one.core.context().now() + waiting.lease().toNanos(),
                Outstanding.ACQUIRE,
                done::add);
        release.start(false);
        for (int repeats = 2; repeats <= 4; repeats++) {
            one.clock.advance(PAUSE.multipliedBy(repeats));
            release.tick(one.core.context().now());
            assertThat(one.store.count(Verb.RELEASE)).isEqualTo(repeats);
        }
        assertThat(done).isEmpty();
        one.clock.advance(Duration.ofSeconds(20));
        release.tick(one.core.context().now());
        assertThat(done).containsExactly(release);
    }

    @Test
    void notThere_afterAnAcquireThatDidNothing_isFinal() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        release.start(false);
        release.onAcquireReply(false, true);
        one.store.letGo();
        assertThat(done).containsExactly(release);
    }

    // ---- no reply

    @Test
    void overtakenRelease_withoutAReply_isSentAgain_andThenFinal() {
        PendingRelease release = in(ReleaseState.OVERTAKEN);
        one.store.road(Road.OPEN);
        one.clock.advance(Simulation.ATTEMPT_TIMEOUT);
        release.tick(one.core.context().now());
        assertThat(done).containsExactly(release);
        one.store.letGo();
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(2);
    }

    @Test
    void failedRelease_isPaused_andGivenUpWhenTheLeaseWouldHaveEnded() {
        PendingRelease release = in(ReleaseState.PAUSED);
        assertThat(release.isAnswered()).isFalse();
        one.clock.advance(LEASE.plusSeconds(1));
        assertThat(release.tick(one.core.context().now())).isEqualTo(EngineClock.NEVER);
        assertThat(release.state()).isEqualTo(ReleaseState.DONE);
        assertThat(done).containsExactly(release);
        assertThat(release.tick(one.core.context().now())).isEqualTo(EngineClock.NEVER);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
    }

    /** A server that was stopped for longer than a lease has the acquire in its socket. */
    @Test
    void acquireThatASilentStoreExecutesAfterItsLease_isReleased() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        release.start(false);
        tickFor(release, LEASE.multipliedBy(3));
        assertThat(done).isEmpty();

        one.store.road(Road.OPEN);
        tickFor(release, Simulation.ATTEMPT_TIMEOUT);
        assertThat(release.state()).as("not there yet").isEqualTo(ReleaseState.ANSWERED);
        grant();
        tickFor(release, Duration.ofSeconds(1));

        assertThat(isHeldInStore()).isFalse();
        assertThat(done).containsExactly(release);
    }

    @Test
    void storeThatIsSilentForGood_isGivenUp() {
        PendingRelease release = unheld(Outstanding.ACQUIRE);
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        release.start(false);
        tickFor(release, Duration.ofMinutes(15));
        assertThat(done).isEmpty();
        tickFor(release, LEASE.plus(Simulation.ATTEMPT_TIMEOUT));
        assertThat(done).containsExactly(release);
    }

    private void tickFor(PendingRelease release, Duration time) {
        Duration step = Duration.ofMillis(100);
        for (Duration left = time; !left.isNegative(); left = left.minus(step)) {
            one.clock.advance(step);
            release.tick(one.core.context().now());
        }
    }

    @Test
    void releaseThatFailsTwiceAtOnce_isUnconfirmed_andPaused() {
        ClaimLife life = released();
        PendingRelease release = held(life);
        one.store.road(Road.REFUSE, Verb.RELEASE);
        release.start(false);
        assertThat(release.outcome()).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        assertThat(life.state()).isEqualTo(ClaimState.RESOLVING);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(2);
        assertThat(release.state()).isEqualTo(ReleaseState.PAUSED);
    }

    @Test
    void firstReleaseWithoutAReply_isUnconfirmed_andRepeated() {
        grant();
        PendingRelease release = held();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        release.start(false);
        one.clock.advance(Simulation.ATTEMPT_TIMEOUT);
        one.store.road(Road.OPEN);
        release.tick(one.core.context().now());
        assertThat(release.outcome()).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        assertThat(isHeldInStore()).isFalse();
        assertThat(done).containsExactly(release);
    }

    // ---- what the supervisor sleeps for

    @Test
    void supervisor_sleepsUntilTheReplyIsDue_afterEachRelease() {
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        start(Outstanding.ACQUIRE);
        assertThat(one.pause()).isEqualTo(Simulation.ATTEMPT_TIMEOUT);
        one.advance(Simulation.ATTEMPT_TIMEOUT);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(2);
        assertThat(one.pause()).isEqualTo(Simulation.ATTEMPT_TIMEOUT);
    }

    @Test
    void supervisor_sleepsUntilThePauseIsOver() {
        start(Outstanding.ACQUIRE);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(one.pause()).isEqualTo(Duration.ofMillis(100));
    }

    /** As often as an acquire: whoever waits for the lock waits for this release when the store is back. */
    @Test
    void failingRelease_isRepeatedTwiceASecond_atFirst() {
        PendingRelease release = in(ReleaseState.PAUSED);
        tickFor(release, Duration.ofSeconds(4));
        assertThat(repetitions(release, Duration.ofSeconds(5))).isBetween(10, 11);
        tickFor(release, Duration.ofSeconds(5));
        assertThat(repetitions(release, Duration.ofSeconds(10))).isEqualTo(5);
    }

    private int repetitions(PendingRelease release, Duration during) {
        int before = one.store.count(Verb.RELEASE);
        tickFor(release, during);
        return one.store.count(Verb.RELEASE) - before;
    }

    @Test
    void supervisor_sleepsUntilTheCauseIsDue() {
        one.store.road(Road.KEEP_ANSWERS, Verb.RENEW);
        CompletableFuture<ReleaseOutcome> outcome =
                one.core.context().releases().release(released(), 0, false);
        one.store.road(Road.OPEN);
        assertThat(outcome).isNotDone();
        assertThat(one.pause()).isEqualTo(Simulation.ATTEMPT_TIMEOUT);
        one.advance(Simulation.ATTEMPT_TIMEOUT);
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.lost(LossCause.DELETED));
    }

    /** A pending release among those that the supervisor looks after. */
    private void start(Outstanding outstanding) {
        one.core.context().releases().release(claim, one.core.context().now() + LEASE.toNanos(), outstanding);
    }

    /** Nobody is left who would take the claim in. */
    @Test
    void acquireAnsweredAfterItsReleaseWasGivenUp_isReleased() {
        PendingReleases releases = one.core.context().releases();
        start(Outstanding.ACQUIRE);
        one.advance(LEASE.plusSeconds(1));
        assertThat(one.isAtRest()).as("given up").isTrue();
        grant();
        one.store.road(Road.REFUSE_ONCE, Verb.RELEASE);
        releases.onAcquireReply(claim, true, true);
        assertThat(isHeldInStore()).isTrue();
        one.advance(PAUSE);
        assertThat(isHeldInStore()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    // ---- whoever waits for it

    @Test
    void outcome_isAwaited() throws Exception {
        Simulation patient = Simulation.patient();
        PendingReleases releases = patient.core.context().releases();
        CompletableFuture<ReleaseOutcome> settled = new CompletableFuture<>();
        FutureTask<ReleaseOutcome> waiting = new FutureTask<>(() -> releases.await(settled));
        Thread thread = new Thread(waiting, "releasing");
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        settled.complete(ReleaseOutcome.RELEASED);
        assertThat(waiting.get(5, TimeUnit.MINUTES)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void outcomeThatIsNotSettled_isAwaitedForABoundedTime() {
        PendingReleases releases = one.core.context().releases();
        CompletableFuture<ReleaseOutcome> unsettled = new CompletableFuture<>();
        assertThat(releases.await(unsettled)).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(unsettled).as("others may wait for it").isNotDone();
    }

    /** A thread that the store itself needs waits for nothing, and is told what is known. */
    @Test
    void outcome_isNotAwaitedByAThreadThatMustNotWait() {
        LockStore barred = new ForwardingStore(one.memory) {
            @Override
            public void ensureMayWait() {
                throw new IllegalStateException("this thread must not wait");
            }
        };
        Timeouts day = Simulation.patient().core.context().timeouts();
        StoreClient client = new StoreClient(
                barred, one.core.context().clock(), day, one.core.context().observers());
        PendingReleases releases =
                new PendingReleases(client, one.core.context().supervisor());
        assertThat(releases.await(new CompletableFuture<>())).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(releases.await(CompletableFuture.completedFuture(ReleaseOutcome.RELEASED)))
                .as("there already")
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    // ---- the end of the client

    @Test
    void releaseThatBeginsAfterTheEnd_isConcludedAtOnce() {
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        one.core.context().releases().close();
        assertThat(one.core.context().releases().release(released(), 0, false))
                .isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
    }

    @Test
    void answersAreAwaited_untilAMoment() {
        PendingReleases releases = one.core.context().releases();
        assertThat(releases.awaitAnswers(one.core.context().now()))
                .as("of none")
                .isTrue();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        start(Outstanding.NOTHING);
        assertThat(releases.awaitAnswers(one.core.context().now())).isFalse();
        one.store.letGo();
        assertThat(releases.awaitAnswers(one.core.context().now())).isTrue();
    }

    /** Its thread was interrupted before, and is so afterwards. */
    @Test
    void answersAreAwaited_inSpiteOfAnInterrupt() throws InterruptedException {
        PendingReleases releases = one.core.context().releases();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        start(Outstanding.NOTHING);
        AtomicReference<String> seen = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            Thread.currentThread().interrupt();
            boolean answered = releases.awaitAnswers(EngineClock.NEVER);
            seen.set("answered " + answered + ", interrupted " + Thread.interrupted());
        });
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        one.store.letGo();
        waiting.join();
        assertThat(seen).hasValue("answered true, interrupted true");
    }

    // ---- how long it is looked after

    /** What a request says of itself is kept for as long as the store lists it, whatever its lease. */
    @Test
    void claimThatHoldsNothing_isForgottenWhenNoStoreListsIt() {
        Claim awaiting = Claim.of(
                new LockId("n", LockKind.LATCH),
                new Mode.AwaitZero(),
                OwnerId.of("client", 1),
                Duration.ofHours(1),
                Party.UNKNOWN);
        PendingRelease release = refused(awaiting);
        assertIsGivenUpAfter(Duration.ofMinutes(1), release);
    }

    /** A store keeps the place of a claim in order for longer than a short lease. */
    @Test
    void claimInOrder_isLookedAfterForAsLongAsItsPlace() {
        Claim fair =
                Claim.of(LockId.lock("n"), Mode.fair(), OwnerId.of("client", 1), Duration.ofMillis(60), Party.UNKNOWN);
        assertIsGivenUpAfter(Duration.ofSeconds(10), refused(fair));
    }

    @Test
    void anyOther_isLookedAfterForAsLongAsItsLease() {
        assertIsGivenUpAfter(Duration.ofMillis(60), refused(claim.withLease(Duration.ofMillis(60))));
    }

    private PendingRelease refused(Claim toRelease) {
        one.store.road(Road.REFUSE, Verb.RELEASE);
        PendingRelease release = new PendingRelease(
                one.core.context().store(),
                one.core.context().supervisor(),
                toRelease,
                one.core.context().now() + toRelease.lease().toNanos(),
                Outstanding.NOTHING,
                done::add);
        release.start(false);
        return release;
    }

    private void assertIsGivenUpAfter(Duration time, PendingRelease release) {
        one.clock.advance(time.minusNanos(1));
        release.tick(one.core.context().now());
        assertThat(release.state()).isNotEqualTo(ReleaseState.DONE);
        one.clock.advanceNanos(1);
        release.tick(one.core.context().now());
        assertThat(release.state()).isEqualTo(ReleaseState.DONE);
    }

    // ---- the outcome

    /** The rule "absent": a claim that was relied on and is not there was lost, and the store knows why. */
    @Test
    void heldClaimThatIsNotThere_isLost_byTheCauseThatTheStoreReports() {
        one.store.delegate.acquire(claim(2)).toCompletableFuture().join();
        ClaimLife life = released();
        PendingRelease release = held(life);
        release.start(false);
        assertThat(release.outcome()).isCompletedWithValue(ReleaseOutcome.lost(LossCause.TAKEN));
        assertThat(life.lossCause()).isEqualTo(LossCause.TAKEN);
        assertThat(release.state()).isEqualTo(ReleaseState.DONE);
        assertThat(done).containsExactly(release);
    }

    @Test
    void causeThatIsNotReportedInTime_isDeleted() {
        PendingRelease release = in(ReleaseState.FINDING_CAUSE);
        assertThat(release.isAnswered()).isFalse();
        one.clock.advance(Simulation.ATTEMPT_TIMEOUT);
        release.tick(one.core.context().now());
        assertThat(release.outcome()).isCompletedWithValue(ReleaseOutcome.lost(LossCause.DELETED));
        assertThat(release.state()).isEqualTo(ReleaseState.DONE);
        one.store.letGo();
        assertThat(release.state()).as("after the reply that came too late").isEqualTo(ReleaseState.DONE);
    }

    /** The answer to the acquire ends the pause: what is sent then is under way, as any other. */
    @Test
    void releaseAfterAPauseThatTheAcquireEnds_isUnderWay() {
        PendingRelease release = in(ReleaseState.ANSWERED);
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        grant();
        assertThat(release.onAcquireReply(true, true)).as("taken in").isTrue();
        assertThat(release.state()).isEqualTo(ReleaseState.RELEASING);
        one.store.letGo();
        assertThat(done).containsExactly(release);
    }

    /** It need not be asked again before the pause is over. */
    @Test
    void acquireThatDidNothing_endsNoPause_andMakesTheNextReplyFinal() {
        PendingRelease release = in(ReleaseState.ANSWERED);
        assertThat(release.onAcquireReply(false, true)).as("taken in").isTrue();
        assertThat(release.state()).isEqualTo(ReleaseState.ANSWERED);
        one.clock.advance(PAUSE);
        release.tick(one.core.context().now());
        assertThat(done).containsExactly(release);
    }

    /** The rule "conclude at close": whoever waits for an outcome gets what is known. */
    @Test
    void conclude_settlesTheOutcome_byWhatIsKnown() {
        PendingRelease absent = in(ReleaseState.FINDING_CAUSE);
        absent.conclude();
        assertThat(absent.outcome()).isCompletedWithValue(ReleaseOutcome.lost(LossCause.DELETED));
        PendingRelease unanswered = held();
        unanswered.start(false);
        unanswered.conclude();
        assertThat(unanswered.outcome()).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        one.store.letGo();
        assertThat(unanswered.outcome()).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
    }

    // ---- who guards the claim

    @Test
    void releasedClaim_isGuardedByItsPendingRelease() {
        ClaimLife life = heldLife();
        life.releasing();
        assertThatThrownBy(() -> life.attach(() -> true)).isInstanceOf(AssertionError.class);
        life.detach();
        assertThatThrownBy(life::released).as("nobody guards it").isInstanceOf(AssertionError.class);
        PendingRelease release = new PendingRelease(
                one.core.context().store(), one.core.context().supervisor(), life, 0, done::add);
        assertThatThrownBy(life::released).as("without its monitor").isInstanceOf(AssertionError.class);
        grant();
        release.start(false);
        assertThat(life.state()).isEqualTo(ClaimState.RELEASED);
        assertThatThrownBy(heldLife()::detach).isInstanceOf(AssertionError.class);
    }

    private PendingRelease unheld(Outstanding outstanding) {
        return new PendingRelease(
                one.core.context().store(),
                one.core.context().supervisor(),
                claim,
                one.core.context().now() + LEASE.toNanos(),
                outstanding,
                done::add);
    }

    private PendingRelease held() {
        return held(released());
    }

    private PendingRelease held(ClaimLife life) {
        return new PendingRelease(one.core.context().store(), one.core.context().supervisor(), life, 0, done::add);
    }

    /** A claim that was held until now, and that nobody guards. */
    private ClaimLife released() {
        ClaimLife life = heldLife();
        life.releasing();
        life.detach();
        return life;
    }

    private static Claim claim(long sequence) {
        return Claim.of(LockId.lock("orders:42"), OwnerId.of("client", sequence), LEASE, Party.UNKNOWN);
    }

    /** A claim that was granted, and that only this thread knows. */
    private ClaimLife heldLife() {
        ClaimLife life = new ClaimLife(claim, Duration.ZERO, null, () -> true);
        life.ask(claim, 1);
        life.granted(7, Tether.NONE, 1);
        return life;
    }

    /** The store executes the acquire of the claim, past the road. */
    private void grant() {
        CompletableFuture<?> granted = one.store.delegate.acquire(claim).toCompletableFuture();
        assertThat(granted).isCompleted();
    }

    private boolean isHeldInStore() {
        return one.inspect(claim.id().name()).isLocked();
    }
}
