package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.Party;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests whose outcome is unknown: they are taken back until nothing of them can be left. Invariants I6, I7, I8. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineUnknownTest {

    private static final LeaseTerm TEN_SECONDS = LeaseTerm.renewing(Duration.ofSeconds(10));

    private final Simulation one = Simulation.start();

    @Test
    void P09_aGrantWhoseAnswerIsLostIsReleased() {
        one.store.road(Road.LOSE_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once = once();
        assertThat(one.inspect("n").isLocked()).as("the store has granted it").isTrue();
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(2));
        assertThat(once.handle((lease, e) -> e).join()).isInstanceOf(StoreUnavailableException.class);
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.store.count(Verb.RENEW)).isZero();
        one.advance(Duration.ofSeconds(11));
        assertThat(one.isAtRest()).isTrue();
    }

    /** The request is still on its way when it is taken back, and is granted behind the first release. */
    @Test
    void P09_aGrantThatComesAfterItsReleaseIsReleasedAgain() {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once = once();
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(2));
        assertThat(once).isCompletedExceptionally();
        assertThat(one.store.count(Verb.RELEASE)).isPositive();
        one.store.letGo();
        assertThat(one.inspect("n").isLocked()).as("granted late").isTrue();
        one.advance(Duration.ofSeconds(2));
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    /** What a silent store has been sent it may execute when it goes on, and the lease begins then. */
    @Test
    void P09_itIsReleasedForALeaseAfterTheSilenceAndNoLonger() {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE, Verb.RELEASE);
        CompletableFuture<Optional<Lease>> once = once();
        one.advance(Duration.ofMillis(9_999));
        assertThat(once).isCompletedExceptionally();
        assertThat(one.isAtRest()).isFalse();
        // A release that is not answered is sent again when its time is over: the attempt timeout is the pace.
        assertThat(one.store.count(Verb.RELEASE)).isBetween(5, 50);
        one.advance(Duration.ofMinutes(1));
        assertThat(one.isAtRest()).isFalse();
        one.store.road(Road.OPEN, Verb.RELEASE);
        one.advance(Duration.ofSeconds(13));
        assertThat(one.isAtRest()).isTrue();
        one.store.forgetRequests();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.store.count(Verb.RELEASE)).isZero();
    }

    @Test
    void P09_aStoreThatIsSilentForGood_isAskedForAQuarterOfAnHour() {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE, Verb.RELEASE);
        CompletableFuture<Optional<Lease>> once = once();
        one.advance(Duration.ofMinutes(15));
        assertThat(once).isCompletedExceptionally();
        assertThat(one.isAtRest()).isFalse();
        one.advance(Duration.ofSeconds(13));
        assertThat(one.isAtRest()).isTrue();
    }

    /**
     * Nothing is ever granted to it, and the store does not list it for long: there is nothing to look for during all
     * of its term.
     */
    @Test
    void aClaimThatCanOnlyWaitIsSoonForgotten() {
        Claim await = Claim.of(
                new LockId("n", LockKind.LATCH),
                new Mode.AwaitZero(),
                OwnerId.of("c", 1),
                Duration.ofDays(1),
                new Party("h", 1, "a", "t"));
        one.core
                .context()
                .releases()
                .release(await, one.core.context().now() + Duration.ofDays(1).toNanos(), Outstanding.ACQUIRE);
        one.advance(Duration.ofSeconds(61));
        assertThat(one.store.count(Verb.RELEASE)).isBetween(2, 20);
        assertThat(one.isAtRest()).isTrue();
    }

    /**
     * A store that says again and again that a claim is not there is asked less and less often, as long as the claim
     * could come.
     */
    @Test
    void P25_aClaimThatIsNotThereIsAskedForLessAndLessOften() {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once = one.lock("n")
                .tryAcquireAsync(Duration.ZERO, LeaseTerm.fixed(Duration.ofHours(1)))
                .toCompletableFuture();
        one.advance(Duration.ofHours(1).plusSeconds(1));
        assertThat(once).isCompletedExceptionally();
        assertThat(one.store.count(Verb.RELEASE)).isBetween(20, 100);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void aWaiterAsksAgainWithAnotherOwnerAfterAnUnknownOutcome() {
        one.store.road(Road.LOSE_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = one.acquire("n", TEN_SECONDS);
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(1));
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompleted();
        assertThat(one.store.requests(Verb.ACQUIRE))
                .extracting(r -> r.claim().owner())
                .doesNotHaveDuplicates();
        assertThat(one.inspect("n").holders()).hasSize(1);
        waiting.join().close();
        assertThat(one.inspect("n").isLocked()).isFalse();
    }

    /** P09: granted, but the answer came when the lease was over here. */
    @Test
    void aGrantThatIsAnsweredTooLateIsNotUsed() {
        Simulation slow = Simulation.start();
        slow.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = slow.acquire("n", LeaseTerm.fixed(Duration.ofMillis(100)));
        slow.advance(Duration.ofMillis(97));
        slow.store.letGo();
        assertThat(waiting).isNotDone();
        assertThat(slow.store.count(Verb.RELEASE)).isEqualTo(1);
        slow.store.road(Road.OPEN);
        slow.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompleted();
    }

    @Test
    void anAnswerToACancelledCallerIsTakenBack() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = one.acquire("n", TEN_SECONDS);
        waiting.cancel(false);
        one.store.letGo();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.core.arbiters().count()).isZero();
    }

    /**
     * The caller gives up while its request is about to be sent: the release is executed before the acquire, and
     * answered after it.
     */
    @Test
    void grantHeardOfBeforeItsReleasesAnswer_isReleasedAtOnce() {
        Simulation other = one.neighbour();
        Lease held = other.acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n", TEN_SECONDS);
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        one.store.beforeNextAcquire(() -> waiting.cancel(false));
        held.close();
        assertThat(one.inspect("n").isLocked()).as("granted behind its release").isTrue();
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void anUnconfirmedReleaseIsRepeatedAndNeverRenewed() {
        Lease lease = one.acquire("n", TEN_SECONDS).join();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> released = CompletableFuture.supplyAsync(lease::release);
        await().until(() -> one.store.count(Verb.RELEASE) > 0);
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(3));
        assertThat(released.join()).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(lease.isValid()).isFalse();
        assertThat(one.inspect("n").isLocked()).isTrue();
        one.advance(Duration.ofSeconds(2));
        one.store.road(Road.OPEN);
        one.advance(Duration.ofMillis(2_200));
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.store.count(Verb.RENEW)).isZero();
        assertThat(one.isAtRest()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    }

    private CompletableFuture<Optional<Lease>> once() {
        return one.lock("n", LockOptions.builder().lease(TEN_SECONDS).build())
                .tryAcquireAsync()
                .toCompletableFuture();
    }
}
