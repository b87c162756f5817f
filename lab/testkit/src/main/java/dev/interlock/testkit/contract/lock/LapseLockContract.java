package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Locks that are left to lapse: nobody gets them before their time is over, and then the next does, in every client. On
 * a store that lacks {@link Capability#LAPSE}, the call is refused, and the lock is held as before.
 */
interface LapseLockContract extends LockFixture {

    /** Lapses within a test, and not before the test has looked. */
    Duration LAPSES = Duration.ofSeconds(1);

    @Test
    default void lapse_keepsTheLock_beyondTheEndOfItsClient() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);
        if (!store.capabilities().contains(Capability.LAPSE)) {
            assertThatThrownBy(() -> lease.lapse(NEVER)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(lease.isValid()).isTrue();
            return;
        }

        assertThat(lease.lapse(NEVER)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isValid()).isFalse();
        client.close();

        assertThat(LockFixture.<Optional<Lease>>answer(other::tryAcquire)).isEmpty();
        assertThat(other.inspect().holders()).hasSize(1).allMatch(LockStatus.Holder::isLeft);
        assertThat(operator().forceUnlock(other.name())).isTrue();
        try (Lease next = other.tryAcquire(Patience.limit()).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    /** Neither a poll nor the end of the old lease lets them in, where the store wakes. */
    @Test
    default void lapse_beforeTheLeaseEnds_letsInWhoWaits_inAnyClient() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> storeWakes() ? b.pollCap(NEVER) : b);
        if (!store.capabilities().contains(Capability.LAPSE)) {
            return;
        }
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other =
                clients().open(b -> storeWakes() ? b.pollCap(NEVER) : b).lock(lock.name());
        Lease lease = lock.acquire(LONG);
        Caller<Long> here = Caller.start(() -> token(lock)).awaitBlocked();
        Caller<Long> there = Caller.start(() -> token(other)).awaitBlocked();

        long left = System.nanoTime();
        assertThat(lease.lapse(LAPSES)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(here.result()).isGreaterThan(lease.token());
        assertThat(there.result()).isGreaterThan(lease.token());
        assertThat(System.nanoTime() - left).isGreaterThanOrEqualTo(LAPSES.toNanos());
    }

    private static long token(DistributedLock lock) throws InterruptedException {
        try (Lease lease = lock.acquire(LONG)) {
            return lease.token();
        }
    }

    /** A thread that has left a lock is a stranger to it, and gets it like one. */
    @Test
    default void lapse_ofAThreadsHold_endsTheHold_andItsNextLockWaits() throws Exception {
        LockStore store = clients().store();
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        lock.lock(LONG);
        if (!store.capabilities().contains(Capability.LAPSE)) {
            assertThatThrownBy(() -> lock.lapse(NEVER)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            return;
        }
        long left = System.nanoTime();

        lock.lapse(LAPSES);

        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        LockFixture.lockAndUnlock(lock);
        assertThat(System.nanoTime() - left).isGreaterThanOrEqualTo(LAPSES.toNanos());
    }
}
