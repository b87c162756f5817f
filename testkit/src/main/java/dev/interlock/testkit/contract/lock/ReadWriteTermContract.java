package dev.interlock.testkit.contract.lock;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.fault.FaultyStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each lease for its own time, and together lost when the claim is (I4, I8, P06, P17). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface ReadWriteTermContract extends ReadWriteFixture {

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
}
