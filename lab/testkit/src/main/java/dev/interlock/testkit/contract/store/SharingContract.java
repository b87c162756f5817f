package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.contract.store.ReadWriteClaims.await;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.exclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holdExclusive;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holdShared;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.holders;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.lock;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.modes;
import static dev.interlock.testkit.contract.store.ReadWriteClaims.shared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims of a read/write lock: who shares with whom, and in what order (I2, I3, I5). */
interface SharingContract extends StoreFixture {

    // ---- who fits beside whom

    @Test
    default void sharing_shared_besideShared_isGranted_withFencesOfTheirOwn() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();

        long first = a.granted(shared(a, lock));
        long second = b.granted(shared(b, lock));
        long third = a.granted(shared(a, lock));

        assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
        assertThat(modes(a, lock)).containsExactly(Mode.shared(), Mode.shared(), Mode.shared());
    }

    @Test
    default void sharing_exclusive_whileShared_isBusy() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        holdShared(a, lock);

        b.busy(exclusive(b, lock));
        a.busy(exclusive(a, lock));

        assertThat(modes(a, lock)).containsExactly(Mode.shared());
        assertThat(a.waiters(lock)).isEmpty();
    }

    @Test
    default void sharing_anything_whileExclusive_isBusy() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        holdExclusive(a, lock);

        b.busy(shared(b, lock));
        b.busy(exclusive(b, lock));
        a.busy(shared(a, lock));

        assertThat(modes(a, lock)).singleElement().isInstanceOf(Mode.Exclusive.class);
    }

    @Test
    default void sharing_repeated_grantsTheSameFence() {
        LockId lock = lock(this);
        StoreClient a = client();
        Claim claim = shared(a, lock);
        long fence = a.granted(claim);
        holdShared(client(), lock);

        assertThat(a.granted(claim)).isEqualTo(fence);
        assertThat(holders(a, lock)).hasSize(2);
    }

    /** I3: whoever writes has a larger fence than everybody before. */
    @Test
    default void sharing_fences_increaseOverBothModes() {
        LockId lock = lock(this);
        StoreClient a = client();
        long last = 0;
        for (int i = 0; i < 5; i++) {
            Claim reader = shared(a, lock);
            long read = a.granted(reader);
            a.release(reader);
            Claim writer = exclusive(a, lock);
            long written = a.granted(writer);
            a.release(writer);
            assertThat(read).isGreaterThan(last);
            assertThat(written).isGreaterThan(read);
            last = written;
        }
    }

    /** A name is one thing for each kind: a read/write lock and another kind of the same name do not share claims. */
    @Test
    default void sharing_status_saysItsKind() {
        LockId lock = lock(this);
        StoreClient a = client();
        holdShared(a, lock);

        LockStatus status = a.inspect(lock);

        assertThat(status.kind()).isEqualTo(LockKind.READ_WRITE);
        assertThat(status.holders().get(0).party()).isEqualTo(a.party());
        assertThat(status.holders().get(0).token()).isPositive();
    }

    // ---- the order

    /** A waiting writer is not starved by readers that come after it, whether they would wait or not. */
    @Test
    default void sharing_shared_behindAWaitingExclusive_isBusy() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim reader = holdShared(a, lock);
        Claim writer = await(b, exclusive(b, lock));

        c.busy(shared(c, lock));
        Claim late = await(c, shared(c, lock));
        c.busy(late);

        a.release(reader);
        new Wakes(storeWakes(), wakesNobodyElse()).reach(b, lock);
        c.busy(late);
        b.granted(writer);
    }

    /** And a waiting reader is not starved by writers that come after it. */
    @Test
    default void sharing_exclusive_behindAWaitingShared_isBusy() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim first = holdExclusive(a, lock);
        Claim reader = await(b, shared(b, lock));
        Claim writer = await(c, exclusive(c, lock));

        a.release(first);

        new Wakes(storeWakes(), wakesNobodyElse()).reach(b, lock);
        c.busy(writer);
        c.busy(exclusive(c, lock));
        b.granted(reader);
    }

    @Test
    default void sharing_release_wakesAllThatShare_upToTheFirstThatDoesNot() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        StoreClient d = client();
        StoreClient e = client();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim first = holdExclusive(a, lock);
        Claim reader = await(b, shared(b, lock));
        Claim another = await(c, shared(c, lock));
        Claim writer = await(d, exclusive(d, lock));
        Claim late = await(e, shared(e, lock));

        a.release(first);

        wakes.reach(b, lock);
        wakes.reach(c, lock);
        wakes.spare(d, lock);
        wakes.spare(e, lock);
        c.granted(another);
        b.granted(reader);
        d.busy(writer);
        e.busy(late);
    }

    @Test
    default void sharing_theLastOfThemToGo_wakesTheOneThatWaitsForAll() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Wakes wakes = new Wakes(storeWakes(), wakesNobodyElse());
        Claim first = holdShared(a, lock);
        Claim second = holdShared(b, lock);
        Claim writer = await(c, exclusive(c, lock));

        a.release(first);
        wakes.spare(c, lock);
        c.busy(writer);

        b.release(second);
        wakes.reach(c, lock);
        c.granted(writer);
        assertThat(holders(c, lock)).containsExactly(writer.owner().value());
    }

    /** I5: who gives up stands in nobody's way any more. */
    @Test
    default void sharing_aWaitingExclusiveThatGivesUp_wakesThoseBehindIt() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        holdShared(a, lock);
        Claim writer = await(b, exclusive(b, lock));
        Claim reader = await(c, shared(c, lock));

        assertThat(b.release(writer)).isFalse();

        new Wakes(storeWakes(), wakesNobodyElse()).reach(c, lock);
        c.granted(reader);
    }

    /**
     * When the first caller of a process gives up, the next one of it asks with the same claim, and may want something
     * else.
     */
    @Test
    default void sharing_waitingClaim_inAnotherMode_keepsItsPlace() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim held = holdShared(a, lock);
        Claim changing = await(b, exclusive(b, lock));
        Claim behind = await(c, exclusive(c, lock));

        b.granted(changing.inMode(Mode.shared()).waiting(Duration.ofMillis(1)));
        assertThat(modes(a, lock)).containsExactly(Mode.shared(), Mode.shared());
        c.busy(behind);

        a.release(held);
        b.release(changing);
        c.granted(behind);
    }

    @Test
    default void sharing_aWaitingClaim_thatAsksAgainForMore_keepsItsPlace() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        StoreClient c = client();
        Claim held = holdExclusive(a, lock);
        Claim changing = await(b, shared(b, lock));
        Claim behind = await(c, shared(c, lock));

        b.busy(changing.inMode(Mode.fair()).waiting(Duration.ofMillis(1)));
        a.release(held);
        if (storeQueues()) {
            // It lines up again: those behind it have looked who is before them, and need not look again.
            c.granted(behind);
            c.release(behind);
            b.granted(changing.inMode(Mode.fair()).waiting(Duration.ofMillis(2)));
            return;
        }

        c.busy(behind);
        b.granted(changing.inMode(Mode.fair()).waiting(Duration.ofMillis(2)));
        c.busy(behind);
    }

    @Test
    default void sharing_inspect_listsWhoWaitsForWhat() {
        LockId lock = lock(this);
        StoreClient a = client();
        StoreClient b = client();
        holdShared(a, lock);
        Claim writer = await(b, exclusive(b, lock));
        Claim reader = await(a, shared(a, lock));

        LockStatus status = a.inspect(lock);

        if (storeListsWaiters()) {
            assertThat(status.waiters().stream().map(LockStatus.Waiter::owner))
                    .containsExactly(writer.owner().value(), reader.owner().value());
            assertThat(status.waiters().get(0).mode()).isInstanceOf(Mode.Exclusive.class);
            assertThat(status.waiters().get(1).mode()).isEqualTo(Mode.shared());
        }
    }
}
