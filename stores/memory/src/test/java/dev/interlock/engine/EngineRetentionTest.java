package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks that are kept until somebody asks, on a simulated clock: what is sent, and when they are given back. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineRetentionTest {

    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final LockOptions RETAINED =
            LockOptions.builder().retained(IDLE).build();
    private static final LeaseTerm SHORT = LeaseTerm.renewing(Duration.ofSeconds(3));

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    private static Lease acquired(Simulation client) {
        return waiting(client).join();
    }

    private static CompletableFuture<Lease> waiting(Simulation client) {
        return client.lock("n", RETAINED).acquireAsync().toCompletableFuture();
    }

    private static Optional<Lease> tried(Simulation client) {
        return client.lock("n", RETAINED)
                .tryAcquireAsync()
                .toCompletableFuture()
                .join();
    }

    private static void commands(Simulation client, int acquires, int releases) {
        assertThat(client.store.count(Verb.ACQUIRE)).as("acquires").isEqualTo(acquires);
        assertThat(client.store.count(Verb.RELEASE)).as("releases").isEqualTo(releases);
    }

    private static void assertFree(Simulation client) {
        assertThat(client.inspect("n").isLocked()).isFalse();
        assertThat(client.isAtRest()).isTrue();
    }

    @Test
    void releasedLock_isTakenAgain_withoutARequest_withALargerToken() {
        Lease first = acquired(one);
        assertThat(first.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(first.isValid()).isFalse();
        Lease second = acquired(one);
        second.close();
        try (Lease third = tried(one).orElseThrow()) {
            assertThat(second.token()).isEqualTo(first.token() + 1);
            assertThat(third.token()).isEqualTo(first.token() + 2);
        }
        commands(one, 1, 0);
        assertThat(one.inspect("n").isLocked()).isTrue();
    }

    /** The bounds of a turn are for others that wait, and nobody does. */
    @Test
    void longUse_isOneRequest_untilTheTokenHasNoRoom() {
        long last = 0;
        for (int i = 0; i < Attempt.TOKENS_PER_FENCE; i++) {
            try (Lease lease = acquired(one)) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
            one.advance(Duration.ofMillis(20));
        }
        commands(one, 1, 0);

        try (Lease next = acquired(one)) {
            assertThat(next.token()).isGreaterThan(last);
            assertThat(next.token() % Attempt.TOKENS_PER_FENCE).isZero();
        }
        commands(one, 2, 0);
    }

    @Test
    void unusedLock_isRenewed_andGivenBackWhenItsTimeIsOver() {
        acquired(one).close();
        one.advance(IDLE.minusMillis(1));
        assertThat(one.inspect("n").isLocked()).isTrue();
        assertThat(one.store.count(Verb.RENEW)).isPositive();
        assertThat(one.core.arbiters().count()).isOne();

        one.advance(Duration.ofMillis(1));

        assertFree(one);
        commands(one, 1, 1);
    }

    @Test
    void anotherClient_getsTheUnusedLockAtOnce_forOneRequestMore() {
        long token = 0;
        for (int turn = 0; turn < 10; turn++) {
            for (Simulation client : List.of(one, two)) {
                CompletableFuture<Lease> next = waiting(client);
                assertThat(next).isCompleted();
                assertThat(next.join().token()).isGreaterThan(token);
                token = next.join().token();
                next.join().close();
            }
        }
        // The first acquire finds the lock free; each other one is busy first, makes the other client release, and is
        // sent once more. Without the option each of the 20 turns is an acquire and a release.
        int all = one.store.count(Verb.ACQUIRE)
                + one.store.count(Verb.RELEASE)
                + two.store.count(Verb.ACQUIRE)
                + two.store.count(Verb.RELEASE);
        assertThat(all).isEqualTo(1 + 19 * 3);
    }

    @Test
    void anotherClient_thatWaits_getsTheLockAtTheRelease() {
        Lease held = acquired(one);
        CompletableFuture<Lease> next = waiting(two);
        one.advance(Duration.ofSeconds(5), two);
        assertThat(next).isNotDone();

        held.close();

        assertThat(next).isCompleted();
        assertThat(next.join().token()).isGreaterThan(held.token());
        assertThat(one.isAtRest()).isTrue();
    }

    /** Callers of the first client that are queued besides do not go first for longer than a turn. */
    @Test
    void anotherClient_thatWaits_endsTheTurn() {
        Lease held = acquired(one);
        CompletableFuture<Lease> here = waiting(one);
        one.advance(Duration.ofSeconds(1), two);
        CompletableFuture<Lease> there = waiting(two);

        held.close();

        assertThat(there).isCompleted();
        assertThat(here).isNotDone();
        there.join().close();
        assertThat(here).isCompleted();
    }

    /** It has no time to wait for the release that it brings about. */
    @Test
    void singleAttemptOfAnotherClient_fails_andTheNextSucceeds() {
        acquired(one).close();
        assertThat(tried(two)).isEmpty();
        assertThat(tried(two)).isPresent();
    }

    @Test
    void requestOfAnotherClient_isHeard_beforeTheReplyThatGrants() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> granted = waiting(one);
        CompletableFuture<Lease> next = waiting(two);
        one.store.letGo();

        granted.join().close();

        assertThat(next).isCompleted();
    }

    @Test
    void revocationRequest_givesTheUnusedLockBack() {
        acquired(one).close();
        assertThat(two.administration().requestRevocation("n")).isTrue();
        assertFree(one);
    }

    /** What only waits for the lock is not a request to the holder, whose callback may end its work. */
    @Test
    void wantedLock_callsNoRevocationCallback() {
        List<String> told = new ArrayList<>();
        Lease held = acquired(one);
        held.onRevocationRequested(() -> told.add("asked"));
        CompletableFuture<Lease> next = waiting(two);
        one.advance(Duration.ofSeconds(1), two);
        assertThat(told).isEmpty();
        held.close();
        assertThat(next).isCompleted();
    }

    @Test
    void close_givesTheUnusedLockBack() {
        acquired(one).close();
        one.core.close();
        assertThat(two.inspect("n").isLocked()).isFalse();
    }

    @Test
    void release_afterClose_keepsNothing() {
        Lease held = acquired(one);
        one.core.close();
        held.close();
        assertThat(two.inspect("n").isLocked()).isFalse();
    }

    @Test
    void lossOfAnUnusedLock_isNotReported_andTheNextAcquireAsks() {
        List<String> told = new ArrayList<>();
        Lease first = acquired(one);
        first.onLost(cause -> told.add(cause.name()));
        first.close();
        assertThat(two.administration().forceUnlock("n")).isTrue();

        one.advance(Duration.ofSeconds(11), two);

        assertThat(one.isAtRest()).isTrue();
        try (Lease second = acquired(one)) {
            assertThat(second.token()).isGreaterThan(first.token() + 1);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void silentStore_endsTheUnusedLockWithItsLease() {
        acquired(one).close();
        one.store.road(Road.LOSE_REQUESTS);
        one.advance(Duration.ofSeconds(31));
        CompletableFuture<Lease> next = waiting(one);
        assertThat(next).isNotDone();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(1));
        assertThat(next).isCompleted();
    }

    /** Its lease begins with its own request. */
    @Test
    void callerWithAnotherTerm_getsAClaimOfItsOwn_inOneRequest() {
        Lease first = acquired(one);
        first.close();
        try (Lease fixed =
                one.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(30))).join()) {
            assertThat(fixed.token()).isGreaterThan(first.token() + 1);
        }
        commands(one, 2, 1);
        assertFree(one);

        one.lock("n", RETAINED)
                .tryAcquireAsync(SHORT)
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .close();
        try (Lease longer = tried(one).orElseThrow()) {
            assertThat(longer.isValid()).isTrue();
        }
        commands(one, 4, 1);
    }

    @Test
    void extendedLock_isGivenBack() {
        Lease lease = acquired(one);
        lease.extend(Duration.ofHours(1));
        lease.close();
        assertFree(one);
    }

    @Test
    void longestHold_countsForEachLease_andItsEndIsTheEndOfTheClaim() {
        LockOptions bounded = RETAINED.toBuilder()
                .lease(LeaseTerm.renewing().maxHold(Duration.ofMinutes(1)))
                .build();
        for (int i = 0; i < 3; i++) {
            Lease lease =
                    one.lock("n", bounded).acquireAsync().toCompletableFuture().join();
            one.advance(Duration.ofSeconds(50));
            assertThat(lease.isValid()).isTrue();
            lease.close();
        }
        commands(one, 1, 0);
        Lease last = one.lock("n", bounded).acquireAsync().toCompletableFuture().join();
        one.advance(Duration.ofSeconds(60));
        assertThat(last.isValid()).isFalse();
        assertFree(one);
    }

    @Test
    void lapse_leavesTheLock_andKeepsNothing() {
        Lease lease = acquired(one);
        assertThat(lease.lapseAsync(Duration.ofSeconds(2)).toCompletableFuture())
                .isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(one.isAtRest()).isTrue();
        one.advance(Duration.ofSeconds(2));
        assertThat(tried(two)).isPresent();
    }

    @Test
    void fairCallerOfTheSameClient_isServed() {
        acquired(one).close();
        CompletableFuture<Lease> fair = one.lock(
                        "n", LockOptions.builder().fair(true).build())
                .acquireAsync()
                .toCompletableFuture();
        assertThat(fair).isCompleted();
        fair.join().close();
    }

    @Test
    void otherKinds_andFixedLeases_areReleasedAsAlways() {
        one.readWriteLock("n", RETAINED)
                .writeLock()
                .acquireAsync()
                .toCompletableFuture()
                .join()
                .close();
        one.semaphore("n", 2, RETAINED)
                .acquireAsync(1)
                .toCompletableFuture()
                .join()
                .close();
        one.lock(
                        "n",
                        RETAINED.toBuilder()
                                .lease(LeaseTerm.fixed(Duration.ofSeconds(5)))
                                .build())
                .acquireAsync()
                .toCompletableFuture()
                .join()
                .close();
        commands(one, 3, 3);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void fixedLease_onAClaimThatWasAcquiredForAnother_isReleased() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> gaveUp = waiting(one);
        CompletableFuture<Lease> fixed = one.lock("n", RETAINED)
                .acquireAsync(LeaseTerm.fixed(RETAINED.lease().length()))
                .toCompletableFuture();
        gaveUp.cancel(false);
        one.store.letGo();

        fixed.join().close();

        one.advance(Duration.ofMillis(10));
        assertFree(one);
    }

    @Test
    void options_refuseWhatCannotBe() {
        assertThat(LockOptions.defaults().retained()).isZero();
        assertThat(RETAINED.toBuilder()
                        .retained(Duration.ZERO)
                        .fair(true)
                        .build()
                        .isFair())
                .isTrue();
        assertThatThrownBy(() -> RETAINED.toBuilder().fair(true).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retained(PT5M)");
        assertThatThrownBy(() -> LockOptions.builder().fair(true).retained(IDLE).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fair(true)");
        assertThatThrownBy(() -> LockOptions.builder().retained(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }
}
