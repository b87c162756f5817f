package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.TransitStore.Request;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases that are left to lapse, on a simulated clock: requests that are lost, repeated or late. I1, I6, I8. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLapseTest {

    private static final LeaseTerm THIRTY_SECONDS = LeaseTerm.renewing(Duration.ofSeconds(30));
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofHours(1);

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    private static CompletableFuture<ReleaseOutcome> lapse(Lease lease, Duration after) {
        return lease.lapseAsync(after).toCompletableFuture();
    }

    private Lease acquired() {
        return one.acquire("n", THIRTY_SECONDS).join();
    }

    private LockStatus.Holder left() {
        LockStatus.Holder holder = two.inspect("n").holders().get(0);
        assertThat(holder.isLeft()).isTrue();
        return holder;
    }

    @Test
    void lapse_isOneRequest_andKeepsTheClaimForItsTimeExactly() {
        Lease lease = acquired();

        assertThat(lapse(lease, LONG)).isCompletedWithValue(ReleaseOutcome.RELEASED);

        assertThat(lease.isValid()).isFalse();
        assertThat(one.isAtRest()).isTrue();
        CompletableFuture<Lease> next = two.acquire("n", THIRTY_SECONDS);
        one.advance(LONG.minusMillis(1), two);
        assertThat(next).isNotDone();
        one.advance(Duration.ofMillis(1).plus(Simulation.LATE), two);
        assertThat(next).isCompleted();
        assertThat(next.join().token()).isGreaterThan(lease.token());
        assertThat(one.store.count(Verb.RELEASE)).isOne();
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    @Test
    void lapse_beforeTheLeaseEnds_letsInWhoWaits_hereAndElsewhere() {
        Lease lease = acquired();
        CompletableFuture<Lease> here = one.acquire("n", THIRTY_SECONDS);
        CompletableFuture<Lease> there = two.acquire("n", THIRTY_SECONDS);

        assertThat(lapse(lease, SHORT)).isCompletedWithValue(ReleaseOutcome.RELEASED);

        one.advance(SHORT.minusMillis(1), two);
        assertThat(here).isNotDone();
        assertThat(there).isNotDone();
        one.advance(Duration.ofMillis(1).plus(Simulation.LATE), two);
        assertThat(List.of(here.isDone(), there.isDone())).containsExactlyInAnyOrder(true, false);
    }

    /** The end is that of the first request, which the store has executed. */
    @Test
    void lostReply_isUnconfirmed_andRepeated_andTheEndStays() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_ANSWERS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> outcome = lapse(lease, LONG);
        assertThat(outcome).isNotDone();
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(2));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        one.store.road(Road.OPEN);

        one.advance(Duration.ofSeconds(3));

        assertThat(one.isAtRest()).isTrue();
        assertThat(one.store.count(Verb.RELEASE)).isGreaterThan(1);
        assertThat(left().remainingLease())
                .isEqualTo(LONG.minus(Simulation.ATTEMPT_TIMEOUT).minusMillis(3_002));
    }

    /** What was lost on the way is sent again with what is left of the time. */
    @Test
    void lostRequest_isRepeated_withTheRestOfTheTime() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> outcome = lapse(lease, LONG);
        one.advance(Duration.ofSeconds(3));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        one.store.road(Road.OPEN);

        one.advance(Duration.ofSeconds(3));

        assertThat(one.isAtRest()).isTrue();
        assertThat(left().remainingLease()).isEqualTo(LONG.minusSeconds(6));
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    /** Nobody would be served by a claim that stays for the rest of its lease, when the time is over. */
    @Test
    void lostRequests_untilTheTimeIsOver_areFollowedByReleases() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> outcome = lapse(lease, SHORT);
        one.advance(SHORT.plusSeconds(1));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        assertThat(one.inspect("n").isLocked()).isTrue();
        one.store.road(Road.OPEN);

        one.advance(Duration.ofSeconds(3));

        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
        List<Request> sent = one.store.requests(Verb.RELEASE);
        assertThat(sent.get(0).claim().lapses()).isTrue();
        assertThat(sent.get(sent.size() - 1).claim().lapses()).isFalse();
    }

    /** A renewal that the store executes after the claim was left must not set its end. */
    @Test
    void lateRenewal_changesNothing() {
        Lease lease = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        one.advance(Duration.ofSeconds(11));
        assertThat(one.store.count(Verb.RENEW)).isPositive();
        assertThat(lapse(lease, LONG)).isCompletedWithValue(ReleaseOutcome.RELEASED);

        one.store.letGo();

        assertThat(left().remainingLease()).isEqualTo(LONG);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void closing_leavesTheClaim() {
        assertThat(lapse(acquired(), LONG)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        one.core.close();
        assertThat(left().remainingLease()).isEqualTo(LONG);
    }

    /** A permit that is left does not pass on to who waits here, as one that is released does. */
    @Test
    void permit_leftToLapse_isNotHandedOver() {
        var semaphore = one.semaphore("s", 1, LockOptions.defaults());
        Lease held = semaphore.acquireAsync(1).toCompletableFuture().join();
        CompletableFuture<Lease> next = semaphore.acquireAsync(1).toCompletableFuture();

        assertThat(lapse(held, SHORT)).isCompletedWithValue(ReleaseOutcome.RELEASED);

        one.advance(SHORT.minusMillis(1));
        assertThat(next).isNotDone();
        one.advance(Duration.ofSeconds(2));
        assertThat(next.join().isValid()).isTrue();
        assertThat(next.join().release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(one.isAtRest()).isTrue();
    }
}
