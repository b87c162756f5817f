package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Names that stay closed after a lease was lost, and open at once after a release. On a store whose claims end with a
 * session, a delay that is too long for the session is refused.
 */
interface LockDelayContract extends LockFixture {

    Duration DELAY = Duration.ofMillis(500);

    LockOptions DELAYED = LockOptions.builder().lockDelay(DELAY).build();

    LeaseTerm ENDS = LeaseTerm.fixed(Duration.ofMillis(250));

    /** How long another had to wait for a lock, from the moment before the lease was asked for that then ended. */
    private static Duration waitFor(DistributedLock lock, DistributedLock next) throws Exception {
        long start = System.nanoTime();
        lock.lock(ENDS);
        Caller<Long> waiting = Caller.start(() -> {
            try (Lease lease = next.acquire(LONG)) {
                assertThat(lease.isValid()).isTrue();
                return System.nanoTime();
            }
        });
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        return Duration.ofNanos(waiting.result() - start);
    }

    @Test
    default void lockDelay_afterALease_keepsOutTheNext_hereAndElsewhere() throws Exception {
        DistributedLock lock = clients().open().lock(clients().name(), DELAYED);
        assertThat(waitFor(lock, lock)).isGreaterThanOrEqualTo(ENDS.length().plus(DELAY));
        assertThat(waitFor(lock, elsewhere(lock)))
                .isGreaterThanOrEqualTo(ENDS.length().plus(DELAY));
    }

    @Test
    default void lockDelay_ofAFairLock_andOfAWriteLock_isKept() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        Interlock other = clients().open();
        String name = clients().name();
        if (store.capabilities().contains(Capability.FAIR_LOCK)) {
            LockOptions fair = DELAYED.toBuilder().fair(true).build();
            assertThat(waitFor(client.lock(name, fair), other.lock(name, fair)))
                    .isGreaterThanOrEqualTo(ENDS.length().plus(DELAY));
        }
        if (store.capabilities().contains(Capability.READ_WRITE_LOCK)) {
            DistributedLock writer = client.readWriteLock(name, DELAYED).writeLock();
            assertThat(waitFor(writer, other.readWriteLock(name, DELAYED).readLock()))
                    .isGreaterThanOrEqualTo(ENDS.length().plus(DELAY));
        }
    }

    /** Neither does it release the lock when its connection is back, nor when its holder unlocks in vain. */
    @Test
    default void lockDelay_ofAClientThatWasCutOff_keepsOutTheNext() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client =
                clients().open(faulty.store(), b -> b.attemptTimeout(BRIEF).closeTimeout(BRIEF));
        DistributedLock lock = client.lock(clients().name(), DELAYED);
        DistributedLock other = elsewhere(lock);
        LeaseTerm term = LeaseTerm.renewing(Duration.ofSeconds(1));
        long start = System.nanoTime();
        Lease lease = lock.acquire(term);
        faulty.blackHole().strike();
        await().until(() -> !lease.isValid());
        lease.release();
        faulty.blackHole().heal();

        try (Lease next = other.acquire(LONG)) {
            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(term.length().plus(DELAY).toNanos());
        }
    }

    /** The lease and the delay last for longer than the test. */
    @Test
    default void lockDelay_afterARelease_isNone() throws Exception {
        DistributedLock lock = clients().open().lock(clients().name(), DELAYED);
        DistributedLock other = elsewhere(lock);
        lock.acquire(LONG).close();
        LockFixture.<Optional<Lease>>answerOf(other, other::tryAcquire)
                .orElseThrow()
                .close();
    }

    /** Until its time is over, or until somebody says that no late write is to be feared. */
    @Test
    default void lockDelay_outlivesItsClient_andEndsByForce() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(
                clients().name(), DELAYED.toBuilder().lockDelay(NEVER).build());
        DistributedLock other = elsewhere(lock);
        Lease lease;
        try {
            lease = lock.acquire(ENDS);
        } catch (UnsupportedOperationException e) {
            assertThat(e).hasMessageContaining("lockDelay").hasMessageContaining(NEVER.toString());
            LockFixture.<Optional<Lease>>answerOf(other, other::tryAcquire)
                    .orElseThrow()
                    .close();
            return;
        }
        await().until(() -> !lease.isValid());
        client.close();

        assertThat(LockFixture.<Optional<Lease>>answer(other::tryAcquire)).isEmpty();
        assertThat(other.inspect().holders()).hasSize(1);
        assertThat(operator().forceUnlock(other.name())).isTrue();
        try (Lease next = other.tryAcquire(Patience.limit()).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }
}
