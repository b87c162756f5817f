package dev.interlock.testkit.engine;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockKind;
import dev.interlock.testkit.contract.lock.ReadWriteFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads, handles and kinds of one name in one process. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class SharedHoldTest extends EngineSuite implements ReadWriteFixture {

    // ---- and of one client

    @ParameterizedTest
    @EnumSource
    void oneClient_theThreadsOfAProcess_shareAndExcludeTheSame(Side held) {
        DistributedReadWriteLock lock = readWriteLock();
        held.of(lock).lock();

        assertThat(isFree(lock.readLock())).isEqualTo(held == Side.READ);
        assertThat(isFree(lock.writeLock())).isFalse();

        held.of(lock).unlock();
        assertThat(isFree(lock.writeLock())).isTrue();
        assertThat(isFree(lock.readLock())).isTrue();
        assertThat(lock.readLock().isLocked()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void handles_excludeAsTheirSideDoes(Side held) throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        try (Lease lease = held.of(lock).acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.name()).isEqualTo(lock.name());
            for (DistributedReadWriteLock each : List.of(lock, other)) {
                assertThat(each.writeLock().tryAcquire()).isEmpty();
                try (Lease reader = each.readLock().tryAcquire().orElse(null)) {
                    assertThat(reader != null).isEqualTo(held == Side.READ);
                }
            }
        }
        assertThat(isFree(other.writeLock())).isTrue();
    }

    @Test
    void names_ofAnotherKind_areAnotherLock() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.readLock().lock();

        LockStatus status = lock.inspect();

        assertThat(status.kind()).isEqualTo(LockKind.READ_WRITE);
        assertThat(status.holders()).hasSize(1);
        assertThat(lock.readLock().inspect().holders()).hasSize(1);
        lock.readLock().unlock();
        assertThat(lock.inspect().isLocked()).isFalse();
    }
}
