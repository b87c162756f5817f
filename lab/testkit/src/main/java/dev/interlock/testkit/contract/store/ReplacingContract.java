package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A claim that takes the place of an earlier one of the same client, and gives others their turn. */
interface ReplacingContract extends StoreFixture {

    @Test
    default void replacing_withNobodyWaiting_isGranted_withALargerFence() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim earlier = a.claim(lock);
        long fence = a.granted(earlier);
        Claim next = a.claim(lock).waiting(Duration.ofSeconds(1)).replacing(earlier.owner());

        assertThat(a.granted(next)).isGreaterThan(fence);

        assertThat(a.holder(lock).owner()).isEqualTo(next.owner().value());
        assertThat(a.release(earlier)).isFalse();
        assertThat(a.renew(next)).isEqualTo(Renewal.HELD);
        assertThat(a.release(next)).isTrue();
    }

    @Test
    default void replacing_withOthersWaiting_wakesTheFirst_andQueuesLast() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        LockId lock = clients().lock();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim earlier = a.hold(lock);
        Claim first = b.await(lock, Duration.ofSeconds(3));
        Claim second = c.await(lock, Duration.ofSeconds(2));

        // Although it says that it has waited longest: its turn is over.
        Claim next = a.claim(lock).waiting(Duration.ofSeconds(60)).replacing(earlier.owner());
        assertThat(a.busy(next)).isBetween(Duration.ZERO, Duration.ofSeconds(2));
        wakes.reach(b, lock);
        b.granted(first);

        b.release(first);
        wakes.reach(c, lock);
        wakes.spare(a, lock);
        c.granted(second);

        c.release(second);
        wakes.reach(a, lock);
        a.granted(next);
    }

    @Test
    default void replacing_withOthersWaiting_isListedLast() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        Claim first = b.await(lock, Duration.ofSeconds(3));
        Claim second = c.await(lock, Duration.ofSeconds(2));
        Claim next = a.claim(lock).waiting(Duration.ofSeconds(60)).replacing(earlier.owner());
        a.busy(next);

        b.granted(first);

        if (storeListsWaiters()) {
            assertThat(b.waiters(lock))
                    .containsExactly(second.owner().value(), next.owner().value());
        } else {
            assertThat(b.waiters(lock)).isEmpty();
        }
    }

    /** I7: a lost answer to a replacing acquire that was granted. */
    @Test
    default void replacing_repeated_grantsTheSameFence() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        Claim next = a.claim(lock).waiting(Duration.ZERO).replacing(earlier.owner());
        long fence = a.granted(next);

        assertThat(a.granted(next)).isEqualTo(fence);
    }

    /** I7, I8: a lost answer to a replacing acquire that was busy. */
    @Test
    default void replacing_repeatedWhileTheNextHolds_leavesTheNextAlone() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofSeconds(1));
        Claim next = a.claim(lock).waiting(Duration.ofSeconds(2)).replacing(earlier.owner());
        a.busy(next);
        b.granted(waiting);

        a.busy(next);
        a.busy(next);

        assertThat(b.renew(waiting)).isEqualTo(Renewal.HELD);
        assertThat(b.waiters(lock)).hasSize(storeListsWaiters() ? 1 : 0);
    }

    /** The one that was woken may be dead: the name does not stay free for ever. */
    @Test
    default void replacing_whenTheWokenDoesNotCome_isGrantedWhenItAsksAgain() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        b.await(lock, Duration.ofSeconds(1));
        Claim next = a.claim(lock);
        a.busy(next.waiting(Duration.ofSeconds(2)).replacing(earlier.owner()));

        if (storeQueues()) {
            // It keeps its place for a while.
            await("the end of a place")
                    .until(() -> a.acquire(next.waiting(Duration.ofSeconds(3))) instanceof Attempt.Granted);
        } else {
            a.granted(next.waiting(Duration.ofSeconds(3)));
        }
    }

    @Test
    default void replacing_aClaimThatIsGone_isAPlainAcquire() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        a.release(earlier);
        Claim held = b.hold(lock);

        Claim waiting = a.claim(lock).waiting(Duration.ZERO).replacing(earlier.owner());
        a.busy(waiting);
        assertThat(b.renew(held)).isEqualTo(Renewal.HELD);
        // Else the free name might be kept for it.
        a.release(waiting);
        b.release(held);

        Claim next = a.claim(lock).replacing(earlier.owner());
        assertThat(a.acquire(next)).isInstanceOf(Attempt.Granted.class);
    }

    /** The owner of the replaced claim, asked to renew it by mistake, learns that it is gone. */
    @Test
    default void replacing_endsTheEarlierClaim() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim earlier = a.hold(lock);
        a.granted(a.claim(lock).waiting(Duration.ZERO).replacing(earlier.owner()));

        assertThat(a.renew(earlier)).isEqualTo(Renewal.TAKEN);
    }
}
