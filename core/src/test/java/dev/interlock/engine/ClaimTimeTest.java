package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LossCause;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of a lease's end, of its renewals and of the causes of its loss. Invariants I2 and I4. */
class ClaimTimeTest {

    private static final long SENT = 5_000_000_000L;
    private static final long MILLI = 1_000_000;
    private static final Duration ROUND_TRIP = Duration.ofMillis(3);

    /** Clocks may differ by 1 %, and 2 ms are for what comes between; both at the holder's expense. */
    @ParameterizedTest
    @CsvSource({
        "50, 47500000",
        "100, 97000000",
        "1000, 988000000",
        "30000, 29698000000",
        "31536000000, 31220639998000000"
    })
    void deadlineCountsFromTheSendLessDriftAndMargin(long leaseMillis, long validNanos) {
        ClaimLife life = Claims.held(Duration.ofMillis(leaseMillis), SENT, ROUND_TRIP, true);
        assertThat(life.deadline().nanos() - SENT).isEqualTo(validNanos);
        assertThat(life.endsInStoreNanos()).isEqualTo(SENT + leaseMillis * MILLI);
    }

    @Test
    void aGrantAtItsDeadlineIsTooLateAndTakenBack() {
        Duration lease = Duration.ofMillis(100);
        long end = SENT + 97 * MILLI;
        assertThat(asked(lease).granted(7, Tether.NONE, end - 1)).isTrue();
        ClaimLife late = asked(lease);
        assertThat(late.granted(7, Tether.NONE, end)).isFalse();
        assertThat(late.state()).isEqualTo(ClaimState.RESOLVING);
        assertThat(late.deadline().passed(end)).isTrue();
    }

    @Test
    void aSecondAskCountsFromItsOwnSendAndTheStoreFromTheLatest() {
        ClaimLife life = asked(Duration.ofSeconds(1));
        life.busy(true);
        life.ask(life.claim().withLease(Duration.ofMillis(100)), SENT + 500 * MILLI);
        assertThat(life.granted(7, Tether.NONE, SENT + 501 * MILLI)).isTrue();
        assertThat(life.deadline().nanos()).isEqualTo(SENT + 597 * MILLI);
        // The first request may still be on its way with its longer lease.
        assertThat(life.endsInStoreNanos()).isEqualTo(SENT + 1000 * MILLI);
    }

    @Test
    void renewalIsWantedAtAThirdOfTheLeaseAndOnceAtATime() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long due = life.dueNanos();
        assertThat(due - SENT).isBetween(9_600 * MILLI, 10_000 * MILLI);
        assertThat(life.wantsRenewal(due - 1, 0)).isFalse();
        assertThat(life.wantsRenewal(due, 0)).isTrue();
        assertThat(life.wantsRenewal(due - 100, 100)).isTrue();
        life.renewalSent(Claims.LEASE, due);
        assertThat(life.wantsRenewal(due, 0)).isFalse();
        assertThat(life.dueNanos()).isEqualTo(life.deadline().nanos());
        assertThat(life.renewalAnswered(Renewal.HELD, Claims.LEASE, due, due + MILLI))
                .isTrue();
        assertThat(life.deadline().nanos()).isEqualTo(due + 29_698 * MILLI);
        assertThat(life.renewedNanos()).isEqualTo(due);
        assertThat(life.endsInStoreNanos()).isEqualTo(due + 30_000 * MILLI);
    }

    @Test
    void aFixedLeaseIsNeverRenewed() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, false);
        assertThat(life.wantsRenewal(life.deadline().nanos() - 1, 3_000 * MILLI))
                .isFalse();
        life.renewalFailed(SENT + MILLI);
        assertThat(life.wantsRenewal(life.deadline().nanos() - 1, 3_000 * MILLI))
                .isFalse();
        assertThat(life.dueNanos()).isEqualTo(life.deadline().nanos());
    }

    /** The first try comes at once, the pauses double, and none is longer than a tenth of the lease. */
    @Test
    void failedRenewalsAreRepeatedWithBackOff() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long[] pausesMillis = {10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3000, 3000, 3000};
        long now = life.dueNanos();
        for (long pause : pausesMillis) {
            life.renewalSent(Claims.LEASE, now);
            assertThat(life.renewalFailed(now)).as("the next attempt").isEqualTo(now + pause * MILLI);
            assertThat(life.state()).isEqualTo(ClaimState.AT_RISK);
            assertThat(life.dueNanos()).isEqualTo(now + pause * MILLI);
            now = life.dueNanos();
        }
        life.renewalSent(Claims.LEASE, now);
        assertThat(life.renewalAnswered(Renewal.HELD, Claims.LEASE, now, now)).isTrue();
        assertThat(life.state()).isEqualTo(ClaimState.HELD);
        now = life.dueNanos();
        life.renewalFailed(now);
        assertThat(life.dueNanos()).as("back-off starts anew").isEqualTo(now + 10 * MILLI);
    }

    @Test
    void backOffOfAShortLeaseIsAtLeastTenMillis() {
        ClaimLife life = Claims.held(Duration.ofMillis(50), SENT, ROUND_TRIP, true);
        long now = life.dueNanos();
        for (int i = 0; i < 3; i++) {
            life.renewalFailed(now);
            assertThat(life.dueNanos()).isEqualTo(now + 10 * MILLI);
            now = life.dueNanos();
        }
    }

    /** An extension that fails is no reason to renew a lease that has long to go. */
    @Test
    void aFailureBeforeTheRenewalIsDueDoesNotHastenIt() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long due = life.dueNanos();
        life.renewalFailed(SENT + MILLI);
        assertThat(life.dueNanos()).isEqualTo(due);
    }

    /** I2: what is asked of the store covers what is left here, with the share for drift and the margin. */
    @ParameterizedTest
    @CsvSource({"50, 29.8", "1000, 29.8", "30000, 30", "600000, 600"})
    void aRenewalNeverAsksForLessThanTheDeadlineNeeds(long wantedMillis, double leastSeconds) {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long now = SENT + 200 * MILLI;
        Duration asked = life.atLeast(Duration.ofMillis(wantedMillis), now);
        long end = now + asked.toNanos() - asked.toNanos() / 100 - 2 * MILLI;
        assertThat(end).isGreaterThanOrEqualTo(life.deadline().nanos());
        assertThat(asked.toNanos() / 1e9).isBetween(leastSeconds - 0.005, leastSeconds + 0.005);
    }

    /** The store has the shorter lease until a renewal sets the longer one: that is due at once. */
    @Test
    void aLengthenedLeaseIsRenewedAtOnceAndAShorterOneChangesNothing() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long due = life.dueNanos();
        life.lengthen(Duration.ofSeconds(10));
        assertThat(life.claim().lease()).isEqualTo(Claims.LEASE);
        assertThat(life.dueNanos()).isEqualTo(due);
        life.lengthen(Duration.ofSeconds(60));
        assertThat(life.claim().lease()).isEqualTo(Duration.ofSeconds(60));
        assertThat(life.wantsRenewal(SENT + MILLI, 0)).isTrue();
    }

    /** The name is closed in the store for the delay after the lease: so it is after each renewal. */
    @Test
    void aDelayLastsLongerInTheStoreThanTheLease() {
        Duration delay = Duration.ofSeconds(7);
        ClaimLife life = new ClaimLife(Claims.claim(1, Claims.LEASE), delay, null, Claims.GUARD);
        life.ask(life.claim(), SENT);
        assertThat(life.granted(7, Tether.NONE, SENT + MILLI)).isTrue();
        life.renewalSent(Claims.LEASE, SENT + 1000 * MILLI);
        assertThat(life.endsInStoreNanos()).isEqualTo(SENT + 38_000 * MILLI);
    }

    /** I4: a reply that comes after the deadline moves nothing, whatever it says. */
    @Test
    void aRenewalAnsweredAfterTheDeadlineIsLost() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long end = life.deadline().nanos();
        life.renewalSent(Claims.LEASE, end - MILLI);
        assertThat(life.renewalAnswered(Renewal.HELD, Claims.LEASE, end - MILLI, end))
                .isFalse();
        assertThat(life.state()).isEqualTo(ClaimState.LOST);
        assertThat(life.lossCause())
                .as("the first renewal should have been sent long before")
                .isEqualTo(LossCause.PAUSED);
        assertThat(life.deadline().nanos()).isEqualTo(end);
    }

    @Test
    void aRenewalSentLongAgoMovesOnlyAsFarAsItsSendAllows() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        long end = life.deadline().nanos();
        assertThat(life.renewalAnswered(Renewal.HELD, Duration.ofSeconds(1), SENT, SENT + 900 * MILLI))
                .isTrue();
        assertThat(life.deadline().nanos()).as("never shortened").isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource({"TAKEN, TAKEN", "DELETED, DELETED", "FORCED, FORCED"})
    void theStoreNamesTheCause(Renewal answer, LossCause cause) {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        assertThat(life.renewalAnswered(answer, Claims.LEASE, SENT, SENT + MILLI))
                .isFalse();
        assertThat(life.lossCause()).isEqualTo(cause);
    }

    @Test
    void endByTimeIsExpiredWithoutRenewal() {
        assertThat(causeAtDeadline(Claims.held(Claims.LEASE, SENT, ROUND_TRIP, false)))
                .isEqualTo(LossCause.EXPIRED);
    }

    /** Not even one renewal was tried in two thirds of the lease: it was us. */
    @Test
    void endByTimeIsPausedIfNoRenewalWasTried() {
        assertThat(causeAtDeadline(Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true)))
                .isEqualTo(LossCause.PAUSED);
    }

    @Test
    void endByTimeIsStoreUnreachableIfRenewalsFailed() {
        ClaimLife failed = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        failed.renewalSent(Claims.LEASE, failed.dueNanos());
        failed.renewalFailed(failed.deadline().nanos() - 1);
        assertThat(causeAtDeadline(failed)).isEqualTo(LossCause.STORE_UNREACHABLE);
    }

    /** A process that runs gives up a renewal that hangs: one that was not given up was stopped under way. */
    @Test
    void endByTimeIsPausedIfARenewalHangsAndNobodyGaveItUp() {
        ClaimLife hanging = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        hanging.renewalSent(Claims.LEASE, hanging.dueNanos());
        assertThat(causeAtDeadline(hanging)).isEqualTo(LossCause.PAUSED);
    }

    /** A process that is continued finds both at once: that a request has no reply, and that its lease is over. */
    @Test
    void endByTimeIsPausedIfARenewalIsGivenUpAfterTheEnd() {
        ClaimLife continued = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        continued.renewalSent(Claims.LEASE, continued.dueNanos());
        long end = continued.deadline().nanos();

        assertThat(continued.renewalFailed(end)).isEqualTo(EngineClock.NEVER);

        assertThat(continued.isRenewalUnderWay()).isFalse();
        assertThat(continued.state()).as("nobody has looked at its end").isEqualTo(ClaimState.HELD);
        assertThat(continued.expire(end)).isTrue();
        assertThat(continued.lossCause()).isEqualTo(LossCause.PAUSED);
    }

    @Test
    void aReleasedClaimWantsNoRenewalEvenIfOneIsAnswered() {
        ClaimLife life = Claims.held(Claims.LEASE, SENT, ROUND_TRIP, true);
        life.renewalSent(Claims.LEASE, SENT);
        life.releasing();
        life.renewalAnswered(Renewal.HELD, Claims.LEASE, SENT, SENT + MILLI);
        life.renewalFailed(SENT + MILLI);
        assertThat(life.wantsRenewal(SENT + 20_000 * MILLI, 3_000 * MILLI)).isFalse();
        assertThat(life.state()).isEqualTo(ClaimState.RELEASING);
    }

    @Test
    void aReplacedClaimIsNamedUntilTheStoreHasAnswered() {
        ClaimLife earlier = Claims.in(ClaimState.RELEASING);
        ClaimLife life = new ClaimLife(Claims.claim(2, Claims.LEASE), Duration.ZERO, earlier, Claims.GUARD);
        assertThat(life.claim().replaces()).isEqualTo(earlier.claim().owner());
        life.ask(life.claim(), SENT);
        assertThat(life.replaced()).isSameAs(earlier);
        life.busy(true);
        assertThat(life.replaced()).isNull();
        assertThat(life.claim().replaces()).isNull();
    }

    private static LossCause causeAtDeadline(ClaimLife life) {
        long end = life.deadline().nanos();
        assertThat(life.expire(end - 1)).isFalse();
        assertThat(life.expire(end)).isTrue();
        LossCause cause = life.lossCause();
        if (cause == null) {
            throw new AssertionError("A lost claim has no cause");
        }
        return cause;
    }

    private static ClaimLife asked(Duration lease) {
        ClaimLife life = new ClaimLife(Claims.claim(1, lease), Duration.ZERO, null, Claims.GUARD);
        life.ask(life.claim(), SENT);
        return life;
    }
}
