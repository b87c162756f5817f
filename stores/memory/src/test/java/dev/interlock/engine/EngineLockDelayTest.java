package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names that stay closed after a lost lease, on a simulated clock: for how long, and after which ends. I1, I2, I6. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLockDelayTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DELAY = Duration.ofSeconds(10);
    private static final LockOptions DELAYED =
            LockOptions.builder().lockDelay(DELAY).build();
    private static final LockOptions FIXED =
            DELAYED.toBuilder().lease(LeaseTerm.fixed(LEASE)).build();

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    private static CompletableFuture<Lease> waiting(Simulation client, LockOptions options) {
        return client.lock("n", options).acquireAsync().toCompletableFuture();
    }

    private static Lease acquired(Simulation client, LockOptions options) {
        return waiting(client, options).join();
    }

    private static ReleaseOutcome released(Lease lease) {
        return lease.releaseAsync().toCompletableFuture().join();
    }

    /** The caller gets its lease when this time is over, and not before. */
    private void assertComesAfter(Duration time, CompletableFuture<Lease> next) {
        one.advance(time.minusMillis(1), two);
        assertThat(next).isNotDone();
        one.advance(Duration.ofMillis(1).plus(Simulation.LATE), two);
        assertThat(next).isCompleted();
    }

    private void assertNothingReleased() {
        assertThat(one.store.count(Verb.RELEASE)).as("releases").isZero();
        assertThat(one.isAtRest()).isTrue();
    }

    // ---- ends of a lease

    @Test
    void lostLease_keepsTheNameClosed_thoughTheStoreIsBack() {
        Lease lease = acquired(one, DELAYED);
        CompletableFuture<Lease> next = waiting(two, DELAYED);
        one.store.road(Road.LOSE_REQUESTS);

        one.advance(LEASE, two);
        assertThat(lease.isValid()).isFalse();
        one.store.road(Road.OPEN);

        assertComesAfter(DELAY, next);
        assertThat(next.join().token()).isGreaterThan(lease.token());
        assertNothingReleased();
    }

    /** The control: without a delay the next one gets in as soon as the store is back. */
    @Test
    void lostLease_withoutADelay_isReleasedAtOnce() {
        acquired(one, LockOptions.defaults());
        CompletableFuture<Lease> next = waiting(two, DELAYED);
        one.store.road(Road.LOSE_REQUESTS);

        one.advance(LEASE.plus(Simulation.LATE), two);

        assertThat(next).isCompleted();
    }

    @Test
    void fixedLease_thatEnds_keepsTheNameClosed_toItsOwnClient_too() {
        Lease lease = acquired(one, FIXED);
        CompletableFuture<Lease> here = waiting(one, DELAYED);

        one.advance(LEASE, two);
        assertThat(lease.isValid()).isFalse();
        assertThat(released(lease)).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));

        assertComesAfter(DELAY, here);
        assertThat(here.join().token()).isGreaterThan(lease.token());
        assertThat(one.store.count(Verb.RELEASE)).isZero();
    }

    @Test
    void releasedLease_opensTheNameAtOnce_inTheLastMoment_too() {
        Lease lease = acquired(one, FIXED);
        CompletableFuture<Lease> next = waiting(two, DELAYED);
        one.advance(LEASE.minusSeconds(1), two);
        assertThat(next).isNotDone();

        assertThat(released(lease)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(next).isCompleted();
    }

    @Test
    void releasedLease_isHandedOver_withoutARequest() {
        Lease lease = acquired(one, DELAYED);
        CompletableFuture<Lease> here = waiting(one, DELAYED);

        released(lease);

        assertThat(here.join().token()).isEqualTo(lease.token() + 1);
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
    }

    @Test
    void longestHold_endsTheLease_andKeepsTheNameClosed() {
        LockOptions bounded = DELAYED.toBuilder()
                .lease(LeaseTerm.renewing(LEASE).maxHold(Duration.ofSeconds(15)))
                .build();
        Lease lease = acquired(one, bounded);
        CompletableFuture<Lease> next = waiting(two, DELAYED);

        one.advance(Duration.ofSeconds(15), two);
        assertThat(lease.isValid()).isFalse();

        // As the last renewal has left it.
        Duration closed = two.inspect("n").holders().get(0).remainingLease();
        assertThat(closed).isBetween(DELAY, LEASE.plus(DELAY));
        assertComesAfter(closed, next);
        assertNothingReleased();
    }

    @Test
    void lapse_andForce_endTheClaimAsAlways() {
        Lease left = acquired(one, DELAYED);
        assertThat(left.lapseAsync(Duration.ofSeconds(2)).toCompletableFuture()).isCompleted();
        assertComesAfter(Duration.ofSeconds(2), waiting(two, DELAYED));
        assertThat(two.administration().forceUnlock("n")).isTrue();

        acquired(one, FIXED);
        one.advance(LEASE.plusSeconds(1), two);
        assertThat(two.inspect("n").holders()).hasSize(1);
        assertThat(two.administration().forceUnlock("n")).isTrue();
        assertThat(waiting(two, DELAYED)).isCompleted();
    }

    @Test
    void close_releasesWhatIsHeld() {
        acquired(one, DELAYED);
        one.core.close();
        assertThat(waiting(two, DELAYED)).isCompleted();
    }

    /** Nobody has looked since the lease ended. */
    @Test
    void close_doesNotReleaseWhatIsOver() {
        acquired(one, FIXED);
        one.clock.advanceNanos(LEASE.toNanos());
        CompletableFuture<Lease> next = waiting(two, DELAYED);

        one.core.close();

        assertThat(next).isNotDone();
        two.advance(DELAY.plus(Simulation.LATE));
        assertThat(next).isCompleted();
    }

    /** Nobody was at work: the lease was released before. */
    @Test
    void unusedRetainedLock_thatIsLost_isReleased() {
        acquired(one, DELAYED.toBuilder().retained(Duration.ofHours(1)).build()).close();
        one.store.road(Road.LOSE_REQUESTS);
        one.advance(LEASE, two);
        one.store.road(Road.OPEN);
        CompletableFuture<Lease> next = waiting(two, DELAYED);

        one.advance(Duration.ofSeconds(3), two);

        assertThat(next).isCompleted();
    }

    @Test
    void grantThatNobodyKnowsOf_isReleased() {
        one.store.road(Road.LOSE_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> gaveUp = waiting(one, DELAYED);
        gaveUp.cancel(false);
        one.advance(Duration.ofSeconds(1), two);
        assertThat(waiting(two, DELAYED)).isCompleted();
    }

    // ---- what the store is asked for

    @Test
    void everyRequest_asksForTheDelay_onTopOfTheLease() {
        Lease lease = acquired(one, DELAYED);
        one.advance(Duration.ofMinutes(1), two);
        lease.extend(Duration.ofMinutes(2));

        assertThat(one.store.requests(Verb.ACQUIRE).get(0).claim().lease()).isEqualTo(LEASE.plus(DELAY));
        assertThat(one.store.requests(Verb.RENEW).get(0).claim().lease()).isEqualTo(LEASE.plus(DELAY));
        assertThat(lease.remaining()).isLessThan(Duration.ofMinutes(2));
        assertThat(two.inspect("n").holders().get(0).remainingLease())
                .isEqualTo(Duration.ofMinutes(2).plus(DELAY));
    }

    /** A claim with a shorter delay would not do. */
    @Test
    void callersWithOtherDelays_getAClaimOfTheirOwn() {
        Lease lease = acquired(one, LockOptions.defaults());
        CompletableFuture<Lease> next = waiting(one, DELAYED);

        released(lease);

        assertThat(next).isCompleted();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(one.store.requests(Verb.ACQUIRE).get(1).claim().lease()).isEqualTo(LEASE.plus(DELAY));
    }

    // ---- several leases on a claim

    private static CompletableFuture<Lease> reading(DistributedReadWriteLock lock, LeaseTerm term) {
        return lock.readLock().acquireAsync(term).toCompletableFuture();
    }

    private CompletableFuture<Lease> reading(Simulation client) {
        return reading(client.readWriteLock("rw", DELAYED), LeaseTerm.renewing(LEASE));
    }

    private CompletableFuture<Lease> writing(Simulation client) {
        return client.readWriteLock("rw", DELAYED).writeLock().acquireAsync().toCompletableFuture();
    }

    @Test
    void lostShare_keepsWritersOut_whenTheLastShareIsReleased() {
        Lease stays = reading(one).join();
        Lease ends = reading(one.readWriteLock("rw", DELAYED), LeaseTerm.fixed(Duration.ofSeconds(5)))
                .join();
        CompletableFuture<Lease> writer = writing(two);
        one.advance(Duration.ofSeconds(6), two);
        assertThat(ends.isValid()).isFalse();
        assertThat(stays.isValid()).isTrue();

        assertThat(released(stays)).isEqualTo(ReleaseOutcome.RELEASED);

        assertComesAfter(LEASE.plus(DELAY).minusSeconds(6), writer);
        assertNothingReleased();
    }

    /** Nor does a reader of the same client that comes later open the name by the end of its turn. */
    @Test
    void lostShare_leavesTheClaimToItself_andLaterCallersAskTheStore() {
        Lease stays = reading(one).join();
        reading(one.readWriteLock("rw", DELAYED), LeaseTerm.fixed(Duration.ofSeconds(5)))
                .join();
        one.advance(Duration.ofSeconds(6), two);
        int before = one.store.count(Verb.ACQUIRE);
        CompletableFuture<Lease> later = reading(one);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(before + 1);
        assertThat(later).isCompleted();
        released(stays);
        released(later.join());

        assertComesAfter(LEASE.plus(DELAY).minusSeconds(6), writing(two));
    }

    @Test
    void lostWriter_beside_aShareOfItsOwn_keepsReadersOut() {
        LockOptions bounded = DELAYED.toBuilder()
                .lease(LeaseTerm.renewing(LEASE).maxHold(Duration.ofSeconds(5)))
                .build();
        Lease writer = one.readWriteLock("rw", bounded)
                .writeLock()
                .acquireAsync()
                .toCompletableFuture()
                .join();
        Lease share = one.acquireBeside("rw", writer, LeaseTerm.renewing(LEASE)).join();
        CompletableFuture<Lease> reader = reading(two);
        one.advance(Duration.ofMinutes(2), two);
        assertThat(writer.isValid()).isFalse();
        assertThat(share.isValid()).isTrue();
        assertThat(reader).isNotDone();

        released(share);

        one.advance(DELAY, two);
        assertThat(reader).isNotDone();
        one.advance(LEASE.plus(Simulation.LATE), two);
        assertThat(reader).isCompleted();
        assertNothingReleased();
    }

    /** The step from writer to reader is answered when the lease is over. */
    @Test
    void lateReplyToAConversion_opensNothing() {
        Lease writer = writing(one).join();
        Lease share = one.acquireBeside("rw", writer, LeaseTerm.renewing(LEASE)).join();
        one.store.road(Road.KEEP_ANSWERS);
        writer.releaseAsync();
        one.clock.advanceNanos(LEASE.toNanos());
        assertThatThrownBy(share::ensureValid).isInstanceOf(LockLostException.class);
        one.store.road(Road.OPEN);

        one.store.letGo();
        one.advance(Duration.ofSeconds(1), two);

        assertNothingReleased();
        assertThat(writing(two)).isNotDone();
    }

    /** Half of a session is for the lease. */
    @Test
    void delay_ofHalfASession_isTheLongest() {
        one.store.tether(() -> 2 * DELAY.toNanos());
        released(acquired(one, DELAYED));

        one.store.tether(() -> 2 * DELAY.toNanos() - 2);
        assertThat(waiting(one, DELAYED))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(UnsupportedOperationException.class)
                .withMessageContaining("choose a shorter delay");
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    /** A session of that length, which has shown no sign of life for a while. */
    private static Tether session(Duration length, Duration left) {
        return new Tether() {
            @Override
            public long leftNanos() {
                return left.toNanos();
            }

            @Override
            public long lengthNanos() {
                return length.toNanos();
            }
        };
    }

    /** The same session, the same options: the same answer at any time between two signs of life. */
    @Test
    void delay_ofHalfASession_isGranted_whateverIsLeftOfIt() {
        Duration length = DELAY.multipliedBy(2);
        for (Duration left = length; left.compareTo(DELAY) > 0; left = left.minusSeconds(1)) {
            one.store.tether(session(length, left));
            Lease lease = acquired(one, DELAYED);
            assertThat(lease.isValid()).isTrue();
            released(lease);
        }
    }

    /** A grant that the session would not outlive by the delay waits for the next sign of life. */
    @Test
    void grantOfASilentSession_waitsForASignOfLife() {
        Duration length = DELAY.multipliedBy(2);
        one.store.tether(session(length, DELAY));
        CompletableFuture<Lease> waiting = waiting(one, DELAYED);
        assertThat(waiting).isNotDone();

        one.store.tether(session(length, length));
        one.advance(Duration.ofSeconds(1));

        assertThat(waiting.join().isValid()).isTrue();
    }

    @Test
    void grantOfASilentSession_isNoAnswerOfTheStore() {
        one.store.tether(session(DELAY.multipliedBy(2), DELAY));
        CompletableFuture<Optional<Lease>> waiting =
                one.lock("n", DELAYED).tryAcquireAsync(Duration.ofSeconds(1)).toCompletableFuture();
        one.advance(Duration.ofMinutes(1));

        assertThat(waiting)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreUnavailableException.class)
                .withMessageContaining("lockDelay=" + DELAY);
        assertThat(one.inspect("n").isLocked()).isFalse();
    }

    @Test
    void permitsOfALostLease_areFree_afterTheDelay() {
        one.semaphore("s", 1, FIXED).acquireAsync(1).toCompletableFuture().join();
        CompletableFuture<Lease> next =
                two.semaphore("s", 1, DELAYED).acquireAsync(1).toCompletableFuture();
        assertComesAfter(LEASE.plus(DELAY), next);
    }

    // ---- wrong input

    @Test
    void options_refuseWhatCannotBe() {
        assertThat(LockOptions.defaults().lockDelay()).isZero();
        assertThat(DELAYED.toBuilder()
                        .fair(true)
                        .retained(Duration.ZERO)
                        .participant("p")
                        .build()
                        .lockDelay())
                .isEqualTo(DELAY);
        assertThatThrownBy(() -> DELAYED.toBuilder().lockDelay(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> DELAYED.toBuilder().lockDelay(LockOptions.MAX_LOCK_DELAY.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1H");
    }
}
