package dev.interlock.testkit.engine;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.contract.lock.ReadWriteFixture;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Each lease for its own time, and together lost when the claim is (I4, I8, P06, P17). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class ReadWriteTermTest extends EngineSuite implements ReadWriteFixture {

    private static final LeaseTerm SHORT = LeaseTerm.fixed(Duration.ofSeconds(2));

    /** P06, P17: whoever shares with it. */
    @Test
    void P06_aFixedReader_endsAtItsTime_andAlone() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        try (Lease renewed = lock.readLock().acquire();
                Lease there = other.readLock().acquire()) {
            Lease fixed = lock.readLock().acquire(SHORT);
            Lease another = lock.readLock().acquire();
            Queue<LossCause> told = new ConcurrentLinkedQueue<>();
            fixed.onLost(told::add);
            assertThat(fixed.remaining()).isBetween(Duration.ofMillis(1), SHORT.length());
            assertThat(renewed.remaining()).isGreaterThan(Duration.ofSeconds(15));

            await().until(() -> !fixed.isValid());

            await().untilAsserted(() -> assertThat(told).containsExactly(LossCause.EXPIRED));
            assertThatThrownBy(fixed::ensureValid).isInstanceOf(LockLostException.class);
            assertThat(fixed.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
            assertThat(renewed.isValid()).isTrue();
            assertThat(another.isValid()).isTrue();
            assertThat(there.isValid()).isTrue();
            assertThat(isFree(other.writeLock())).isFalse();
            another.close();
        }
        assertThat(isFree(other.writeLock())).isTrue();
    }

    /** P17: the watchdog of one does not renew what another has a fixed term for. */
    @Test
    void P17_aFixedReader_isNotRenewedForOthers() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        Lease fixed = lock.readLock().acquire(SHORT);
        try (Lease renewed = lock.readLock().acquire(RENEWED)) {
            await().until(() -> !fixed.isValid());
            LockFixture.awaitRenewal(renewed);
            assertThat(fixed.isValid()).isFalse();
            assertThat(renewed.isValid()).isTrue();
            assertThat(isFree(lock.writeLock())).isFalse();
        }
        assertThat(isFree(lock.writeLock())).isTrue();
    }

    @Test
    void aFixedReader_canBeExtended() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        try (Lease renewed = lock.readLock().acquire();
                Lease fixed = lock.readLock().acquire(LeaseTerm.fixed(Duration.ofSeconds(15)))) {
            fixed.extend(Duration.ofMinutes(2));
            assertThat(fixed.remaining()).isGreaterThan(Duration.ofMinutes(1));
            assertThat(renewed.remaining()).isGreaterThan(Duration.ofSeconds(15));
        }
        assertThat(isFree(lock.writeLock())).isTrue();
    }

    /** The read lock that is taken under a short write lock lasts for its own term. */
    @Test
    void P06_downgrade_hasItsOwnTerm() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.writeLock().lock(SHORT);
        lock.readLock().lock();
        Lease write = lock.writeLock().heldLease();
        Lease read = lock.readLock().heldLease();

        await().until(() -> !write.isValid());

        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(LockLostException.class);
        assertThat(isFree(elsewhere(lock).writeLock())).isFalse();
        await("others share").until(() -> isFree(elsewhere(lock).readLock()));
        await().untilAsserted(() -> assertThat(read.remaining()).isGreaterThan(Duration.ofSeconds(15)));
        lock.readLock().unlock();
        assertThat(isFree(elsewhere(lock).writeLock())).isTrue();
    }

    /** And a short one under a long write lock ends alone. */
    @Test
    void P06_downgrade_toAShorterTerm() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.writeLock().lock();
        lock.readLock().lock(SHORT);
        Lease read = lock.readLock().heldLease();

        await().until(() -> !read.isValid());

        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(() -> lock.readLock().lock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LockLostException.class);
        LockFixture.lockAndUnlock(lock.readLock());
        lock.writeLock().unlock();
        assertThat(isFree(elsewhere(lock).writeLock())).isTrue();
    }

    /** P06: to let go of a read lock within a write lock ends neither the claim nor its renewal. */
    @Test
    void P06_nestedReadUnlock_keepsTheWritersRenewal() {
        CountingStore store = new CountingStore(clients().store());
        DistributedReadWriteLock lock =
                clients().open(store, b -> b).readWriteLock(clients().name());
        DistributedLock write = lock.writeLock();
        write.lock(RENEWED);
        lock.readLock().lock(RENEWED);
        lock.readLock().unlock();
        long renewals = store.requests(Verb.RENEW);

        LockFixture.awaitRenewal(write.heldLease());

        assertThat(store.requests(Verb.RENEW)).isGreaterThan(renewals);
        assertThat(write.isHeldByCurrentThread()).isTrue();
        assertThat(isFree(elsewhere(lock).writeLock())).isFalse();
        assertThat(isFree(elsewhere(lock).readLock())).isFalse();
        write.unlock();
        assertThat(isFree(elsewhere(lock).writeLock())).isTrue();
    }

    /** I8: when the claim is lost all leases on it are, and each is told once. */
    @Test
    void I08_forced_everyLeaseIsLost_andToldOnce() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Lease lease = (i == 0 ? other : lock).readLock().acquire(RENEWED);
            lease.onLost(told::add);
            leases.add(lease);
        }

        assertThat(operator().forceUnlock(lock.name())).isTrue();

        await().untilAsserted(() -> assertThat(told).hasSize(5));
        assertThat(told).containsOnly(LossCause.FORCED);
        assertThat(leases).noneMatch(Lease::isValid);
        assertThat(leases.get(1).release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
        assertThat(isFree(other.writeLock())).isTrue();
    }

    /** I8: after a loss the thread's holds say so, on either side. */
    @Test
    void I08_lost_nestedHoldsSaySo() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.writeLock().lock(RENEWED);
        lock.readLock().lock(RENEWED);
        Lease read = lock.readLock().heldLease();

        assertThat(operator().forceUnlock(lock.name())).isTrue();
        assertThat(operator().forceUnlock(lock.name())).isFalse();
        await().until(() -> !read.isValid());

        assertThatThrownBy(() -> lock.readLock().lock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.readLock().lock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(LockLostException.class);
        LockFixture.lockAndUnlock(lock.writeLock());
    }
}
