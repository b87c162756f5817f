package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.fixture.StoreClient.LONG_LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Claims that are left to lapse: they stay without their owner for the time given, and no longer (I1, I8). A store that
 * lacks {@link Capability#LAPSE} passes by.
 */
interface LapseContract extends StoreFixture {

    /** Lapses within a test. */
    Duration SOON = Duration.ofMillis(300);

    /** Less than the lease, and does not lapse within a test. */
    Duration SOONER = LONG_LEASE.minusMinutes(1);

    /** Does not lapse within a test. */
    Duration LATER = Duration.ofHours(1);

    /** A test with two clients and a lock of its own. */
    interface Body {
        void run(StoreClient a, StoreClient b, LockId lock);
    }

    private void test(Body body) {
        StoreClient a = client();
        if (a.store().capabilities().contains(Capability.LAPSE)) {
            body.run(a, client(), clients().lock());
        }
    }

    private static void awaitGrant(StoreClient client, Claim claim) {
        await("grant of " + claim).until(() -> client.acquire(claim) instanceof Attempt.Granted);
    }

    @Test
    default void lapse_ofAHeldClaim_keepsTheName_withoutTheOwner() {
        test((a, b, lock) -> {
            Claim held = a.claim(lock);
            long fence = a.granted(held);
            LockStatus.Holder before = b.holder(lock);

            assertThat(a.release(held.lapsing(LATER))).isTrue();

            LockStatus.Holder left = b.holder(lock);
            assertThat(before.isLeft()).isFalse();
            assertThat(left.isLeft()).isTrue();
            assertThat(left.party()).isEqualTo(before.party());
            assertThat(left.token()).isEqualTo(before.token());
            assertThat(left.mode()).isEqualTo(before.mode());
            assertThat(left.remainingLease()).isBetween(LATER.dividedBy(2), LATER);
            b.busy(b.claim(lock));
            a.busy(a.claim(lock));
            assertThat(b.release(b.claim(lock).byForce())).isFalse();
            assertThat(b.release(heldBy(left, held).byForce())).isTrue();
            assertThat(b.granted(b.claim(lock))).isGreaterThan(fence);
        });
    }

    private static Claim heldBy(LockStatus.Holder holder, Claim like) {
        return Claim.of(like.id(), like.mode(), new OwnerId(holder.owner()), like.lease(), like.party());
    }

    @Test
    default void lapse_shorterThanTheLease_endsSooner() {
        test((a, b, lock) -> {
            Claim held = a.claim(lock);
            long fence = a.granted(held);

            a.release(held.lapsing(SOON));

            assertThat(b.inspect(lock).holders())
                    .allSatisfy(left -> assertThat(left.remainingLease()).isLessThanOrEqualTo(SOON));
            Claim next = b.claim(lock);
            awaitGrant(b, next);
            assertThat(b.granted(next)).isGreaterThan(fence);
        });
    }

    @Test
    default void lapse_shorterThanTheLease_saysWhenItEnds() {
        test((a, b, lock) -> {
            a.release(a.hold(lock).lapsing(SOONER));

            assertThat(b.holder(lock).remainingLease()).isBetween(SOONER.dividedBy(2), SOONER);
        });
    }

    @Test
    default void lapse_whoseClientIsClosed_keepsTheNameForItsTime() {
        test((a, b, lock) -> {
            a.release(a.hold(lock).lapsing(LATER));

            a.close();

            assertThat(b.holder(lock).isLeft()).isTrue();
            b.busy(b.claim(lock));
        });
    }

    /** A request that is still on its way when the claim is left changes nothing any more. */
    @Test
    default void lapse_isFinal_forEveryLateRequestOfTheOwner() {
        test((a, b, lock) -> {
            Claim held = a.hold(lock);
            a.release(held.lapsing(LATER));
            LockStatus.Holder left = b.holder(lock);

            assertThat(a.renew(held.withLease(SOON))).isNotEqualTo(Renewal.HELD);
            assertThat(a.release(held)).isFalse();
            assertThat(a.release(held.lapsing(SOON)))
                    .as("repeated after a lost reply")
                    .isTrue();
            a.busy(held);

            assertThat(b.holder(lock).owner()).isEqualTo(left.owner());
            assertThat(b.holder(lock).remainingLease()).isGreaterThan(LONG_LEASE);
        });
    }

    @Test
    default void lapse_ofAClaimThatIsNotHeld_isFalse_andLeavesNothing() {
        test((a, b, lock) -> {
            assertThat(a.release(a.claim(lock).lapsing(LATER))).isFalse();
            assertThat(b.inspect(lock).holders()).isEmpty();

            Claim held = b.hold(lock);
            Claim waiting = a.await(lock, Duration.ofMillis(1));
            assertThat(a.release(waiting.lapsing(LATER))).isFalse();
            assertThat(b.renew(held)).isEqualTo(Renewal.HELD);
            assertThat(b.release(held)).isTrue();
            assertThat(a.inspect(lock).holders()).isEmpty();
        });
    }

    @Test
    default void lapse_thatIsOver_isFalseWhenRepeated() {
        test((a, b, lock) -> {
            Claim held = a.hold(lock);
            a.release(held.lapsing(SOON));
            await().until(() -> !b.inspect(lock).isLocked());

            assertThat(a.release(held.lapsing(LATER))).isFalse();

            b.granted(b.claim(lock));
        });
    }

    /** Who waits for the end of the lease has to learn that it has come nearer. */
    @Test
    default void lapse_shorterThanTheLease_wakesWhoWaits_andSaysWhen() {
        test((a, b, lock) -> {
            Claim held = a.hold(lock);
            Claim waiting = b.await(lock, Duration.ofMillis(1));
            b.forgetWakes();

            a.release(held.lapsing(SOON));

            new Wakes(storeWakes(), wakesNobodyElse()).reach(b, lock);
            if (b.acquire(waiting) instanceof Attempt.Busy busy) {
                assertThat(busy.retryAfter()).isLessThanOrEqualTo(SOON);
            }
            awaitGrant(b, waiting);
        });
    }

    @Test
    default void lapse_longerThanTheLease_wakesNobody() {
        test((a, b, lock) -> {
            Claim held = a.hold(lock);
            Claim waiting = b.await(lock, Duration.ofMillis(1));
            b.forgetWakes();

            a.release(held.lapsing(LATER));

            new Wakes(storeWakes(), wakesNobodyElse()).spare(b, lock);
            b.busy(waiting);
        });
    }
}
