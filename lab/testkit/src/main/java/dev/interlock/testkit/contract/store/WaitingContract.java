package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.fixture.StoreClient.LONG_LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Claims that are listed as waiting: their order, their wakes, their end (I5, I6). */
interface WaitingContract extends StoreFixture {

    /** The longest poll that a store may ask for if it cannot wake. */
    Duration SHORT_POLL = Duration.ofSeconds(2);

    @Test
    default void waiting_busy_saysWhenToAskAgain() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock);

        Duration retryAfter = b.busy(b.claim(lock).waiting(Duration.ZERO));

        assertThat(retryAfter).isBetween(Duration.ZERO, storeWakes() ? LONG_LEASE : SHORT_POLL);
    }

    @Test
    default void waiting_release_wakesTheClientOfTheLongestWaitingClaim() {
        StoreClient a = client();
        StoreClient late = client();
        StoreClient early = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        late.await(lock, Duration.ofMillis(10));
        early.await(lock, Duration.ofSeconds(5));

        a.release(held);

        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        wakes.reach(storeQueues() ? late : early, lock);
        wakes.spare(storeQueues() ? early : late, lock);
    }

    @Test
    default void waiting_eachRelease_wakesTheNextInLine() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        LockId lock = clients().lock();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim held = a.hold(lock);
        Claim second = b.await(lock, Duration.ofSeconds(3));
        Claim third = c.await(lock, Duration.ofSeconds(1));

        a.release(held);
        wakes.reach(b, lock);
        b.granted(second);
        wakes.spare(c, lock);

        b.release(second);
        wakes.reach(c, lock);
        c.granted(third);
    }

    /**
     * Otherwise a caller that gives up at the wrong moment would leave the others asleep in front of a free lock (I5).
     */
    @Test
    default void waiting_aWokenClaimThatGivesUp_passesTheWakeOn() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        LockId lock = clients().lock();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim held = a.hold(lock);
        Claim second = b.await(lock, Duration.ofSeconds(3));
        Claim third = c.await(lock, Duration.ofSeconds(1));
        a.release(held);
        wakes.reach(b, lock);

        b.release(second);

        wakes.reach(c, lock);
        c.granted(third);
    }

    /** A store wakes the client that asked, though the release comes from that very client. */
    @Test
    default void waiting_release_wakesAnotherClaimOfTheSameClient() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        a.await(lock, Duration.ZERO);

        a.release(held);

        new Wakes(storeWakes(), wakesNobodyElse()).reach(a, lock);
    }

    @Test
    default void waiting_aWakeIsAHint_anyFreeNameIsGranted() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient stranger = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofSeconds(1));
        a.release(held);

        if (storeQueues()) {
            stranger.busy(stranger.claim(lock));
            b.granted(waiting);
        } else {
            stranger.granted(stranger.claim(lock));
            b.busy(waiting);
        }
    }

    @Test
    default void waiting_inspect_listsLongestFirst() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        StoreClient d = client();
        LockId lock = clients().lock();
        a.hold(lock);
        Claim second = b.await(lock, Duration.ofSeconds(20));
        Claim third = c.await(lock, Duration.ofMillis(1));
        Claim first = d.await(lock, Duration.ofMinutes(1));

        if (storeQueues()) {
            assertThat(a.waiters(lock))
                    .containsExactly(
                            second.owner().value(),
                            third.owner().value(),
                            first.owner().value());
            assertThat(a.inspect(lock).waiters().get(2).party()).isEqualTo(d.party());
        } else if (storeListsWaiters()) {
            assertThat(a.waiters(lock))
                    .containsExactly(
                            first.owner().value(),
                            second.owner().value(),
                            third.owner().value());
            assertThat(a.inspect(lock).waiters().get(0).party()).isEqualTo(d.party());
            assertThat(a.inspect(lock).waiters().get(0).waitingFor()).isBetween(Duration.ofSeconds(59), Patience.FULL);
        } else {
            assertThat(a.waiters(lock)).isEmpty();
        }
    }

    @Test
    default void waiting_askingAgain_listsOnce() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock);
        Claim waiting = b.claim(lock);

        b.busy(waiting.waiting(Duration.ofMillis(1)));
        b.busy(waiting.waiting(Duration.ofMillis(500)));

        assertThat(a.inspect(lock).waiters()).hasSize(storeListsWaiters() ? 1 : 0);
    }

    /** I6: a claim that does not wait leaves nothing behind when it is busy. */
    @Test
    default void waiting_aClaimThatDoesNotWait_isNeitherListedNorWoken() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);

        b.busy(b.claim(lock));

        assertThat(a.waiters(lock)).isEmpty();
        a.release(held);
        new Wakes(storeWakes(), wakesNobodyElse()).spare(b, lock);
    }

    /** I6: a waiter that gives up leaves nothing behind. */
    @Test
    default void waiting_release_ofAWaitingClaim_isFalse_andTakesItOffTheList() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        LockId lock = clients().lock();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim held = a.hold(lock);
        Claim givesUp = b.await(lock, Duration.ofSeconds(9));
        Claim stays = c.await(lock, Duration.ofSeconds(1));

        assertThat(b.release(givesUp)).isFalse();

        assertThat(a.waiters(lock)).doesNotContain(givesUp.owner().value());
        wakes.spare(c, lock);
        a.release(held);
        wakes.reach(c, lock);
        wakes.spare(b, lock);
        c.granted(stays);
    }

    @Test
    default void waiting_granted_isNoLongerListed() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofSeconds(1));
        a.release(held);

        b.granted(waiting);

        assertThat(a.waiters(lock)).isEmpty();
        assertThat(b.release(waiting)).isTrue();
        new Wakes(storeWakes(), wakesNobodyElse()).spare(a, lock);
    }

    /** I6: a dead waiter is a lease too. */
    @Test
    default void waiting_aClaimThatIsNotRepeated_leavesTheListAfterItsLease() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock);

        b.busy(b.claim(lock, Duration.ofMillis(300)).waiting(Duration.ZERO));

        await().until(() -> a.waiters(lock).isEmpty());
    }
}
