package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How leases end by time, on the manual clock. Invariants I2, I4, I5, I6. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLeaseTimeTest {

    private final Simulation one = Simulation.start();

    @Test
    void P15_aFixedLeaseThatNobodyReleasesPassesToTheNextCaller() {
        Lease first = one.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(1))).join();
        List<LossCause> told = new ArrayList<>();
        first.onLost(told::add);
        CompletableFuture<Lease> next = one.acquire("n");
        one.advance(Duration.ofMillis(987));
        assertThat(first.isValid()).isTrue();
        assertThat(next).isNotDone();
        one.advance(Duration.ofMillis(4));
        assertThat(first.isValid()).isFalse();
        assertThat(told).containsExactly(LossCause.EXPIRED);
        assertThat(next).isCompleted();
        assertThat(next.join().token()).isGreaterThan(first.token());
        assertThatThrownBy(first::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(first.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        next.join().close();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Far earlier than anything else the supervisor has to look at. */
    @Test
    void I4_theLossOfAShortLeaseIsToldAtItsDeadline() {
        List<LossCause> told = new ArrayList<>();
        one.acquire("n", LeaseTerm.fixed(Duration.ofMillis(100))).join().onLost(told::add);
        one.advance(Duration.ofMillis(96));
        assertThat(told).isEmpty();
        one.advance(Duration.ofMillis(3));
        assertThat(told).containsExactly(LossCause.EXPIRED);
    }

    @Test
    void maxHoldEndsARenewedLease() {
        LeaseTerm term = LeaseTerm.renewing(Duration.ofSeconds(3)).maxHold(Duration.ofSeconds(10));
        Lease lease = one.acquire("n", term).join();
        one.advance(Duration.ofMillis(9_990));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(10));
        one.advance(Duration.ofMillis(12));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        assertThat(one.inspect("n").isLocked())
                .as("taken back, not left to its lease")
                .isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    /** The first look after the end finds it, without any turn of the supervisor: the process may have been stopped. */
    @Test
    void P01_theFirstCallAfterAPauseSaysLost() {
        Lease lease = one.acquire("n").join();
        one.clock.advance(Duration.ofSeconds(60));
        one.store.forgetRequests();
        one.store.road(Road.KEEP_REQUESTS);
        assertThat(lease.isValid()).isFalse();
        assertThat(Verb.values()).as("no I/O").allMatch(verb -> one.store.count(verb) == 0);
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOfSatisfying(
                        LockLostException.class, e -> assertThat(e.lossCause()).isEqualTo(LossCause.PAUSED));
        assertThat(Verb.values())
                .as("what is left in the store is taken back; nothing is asked, nor was anything answered")
                .allMatch(verb -> one.store.count(verb) == (verb == Verb.RELEASE ? 1 : 0));
        one.store.road(Road.OPEN);
        one.store.letGo();
        one.advance(Duration.ofSeconds(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void extendLengthensAndNeverShortens() {
        Lease lease = one.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(10))).join();
        lease.extend(Duration.ofSeconds(60));
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(59_398));
        one.advance(Duration.ofSeconds(1));
        lease.extend(Duration.ofSeconds(1));
        assertThat(lease.remaining()).isGreaterThanOrEqualTo(Duration.ofMillis(58_398));
        assertStoreOutlives(lease);
    }

    @Test
    void I2_theStoreKeepsALeaseLongerThanWeDoAfterAFailedExtend() {
        Lease lease = one.acquire("n").join();
        lease.extend(Duration.ofMinutes(10));
        one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
        assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(1))).isInstanceOf(StoreUnavailableException.class);
        one.store.road(Road.OPEN);
        for (int i = 0; i < 120; i++) {
            one.advance(Duration.ofSeconds(10));
            assertThat(lease.isValid()).isTrue();
            assertStoreOutlives(lease);
        }
        lease.close();
        assertThat(one.isAtRest()).isTrue();
    }

    /** The store's lease, less 1 % and 2 ms, covers ours. */
    private void assertStoreOutlives(Lease lease) {
        assertThat(one.inspect("n").holders()).hasSize(1);
        Duration there = one.inspect("n").holders().get(0).remainingLease();
        Duration allowance = lease.remaining().dividedBy(100).plusMillis(2);
        assertThat(there.plusNanos(1)).isGreaterThanOrEqualTo(lease.remaining().plus(allowance));
    }
}
