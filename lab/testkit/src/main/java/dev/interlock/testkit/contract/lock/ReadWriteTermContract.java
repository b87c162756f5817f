package dev.interlock.testkit.contract.lock;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each lease for its own time, and together lost when the claim is (I4, I8, P06, P17). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface ReadWriteTermContract extends ReadWriteFixture {

    /** Lapses within a test, and not before the test has looked. */
    Duration LAPSES = Duration.ofSeconds(1);

    /** A reader that dies is missed by nobody for longer than its lease; those who live are not touched. */
    @Test
    default void P17_aDeadClientsReaders_endWithTheirLease() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        FaultyStore faulty = faultyStore();
        DistributedReadWriteLock dying = clients()
                .open(faulty.store(), b -> b.attemptTimeout(BRIEF).closeTimeout(BRIEF))
                .readWriteLock(lock.name());
        Lease lost = dying.readLock().acquire(LeaseTerm.renewing(Duration.ofSeconds(1)));
        try (Lease living = lock.readLock().acquire()) {
            faulty.blackHole().strike();

            await().until(() -> lock.inspect().holders().size() == 1);

            assertThat(lost.isValid()).isFalse();
            assertThat(living.isValid()).isTrue();
            assertThat(isFree(lock.writeLock())).isFalse();
            faulty.blackHole().heal();
        }
        assertThat(isFree(lock.writeLock())).isTrue();
    }

    /** The write lock stays without a writer for the time given: neither readers nor writers get in before. */
    @Test
    default void writeLock_leftToLapse_letsReadersInAtItsTime() throws Exception {
        LockStore store = clients().store();
        DistributedReadWriteLock lock =
                clients().open(store, b -> b).readWriteLock(clients().name());
        DistributedReadWriteLock other = elsewhere(lock);
        Lease writer = lock.writeLock().acquire(LONG);
        if (!store.capabilities().contains(Capability.LAPSE)) {
            assertThatThrownBy(() -> writer.lapse(LAPSES)).isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        Caller<Long> waiting = Caller.start(() -> token(other.readLock())).awaitBlocked();
        long left = System.nanoTime();

        assertThat(writer.lapse(LAPSES)).isEqualTo(ReleaseOutcome.RELEASED);

        LockFixture.assertLeft(other.inspect(), left, LAPSES);
        assertThat(token(lock.readLock())).isGreaterThan(writer.token());
        assertThat(System.nanoTime() - left).isGreaterThanOrEqualTo(LAPSES.toNanos());
        assertThat(waiting.result()).isGreaterThan(writer.token());
        assertThat(isFree(lock.writeLock())).isTrue();
    }

    private static long token(DistributedLock side) throws InterruptedException {
        try (Lease lease = side.acquire(LONG)) {
            return lease.token();
        }
    }
}
