package dev.interlock.testkit.contract;

import static dev.interlock.testkit.contract.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One thread with both sides, in every order (I9, P17). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface NestingContract extends ReadWriteFixture {

    // ---- downgrading

    /** P17: readers that wait are let in by the downgrade, not by the end of the lease. */
    @Test
    default void P17_downgrade_letsReadersIn_hereAndElsewhere() {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        lock.writeLock().lock();
        lock.readLock().lock();
        Caller<Boolean> here =
                Caller.startAction(() -> LockFixture.turn(lock.readLock())).awaitBlocked();
        Caller<Boolean> there =
                Caller.startAction(() -> LockFixture.turn(other.readLock())).awaitBlocked();

        try (Stopwatch watch = new Stopwatch()) {
            lock.writeLock().unlock();
            here.result();
            there.result();
            watch.assertAtMost(Duration.ofSeconds(storeWakes() ? 1 : 2), "readers after a downgrade");
        }

        assertThat(isFree(lock.readLock())).isTrue();
        assertThat(isFree(other.readLock())).isTrue();
        assertThat(isFree(other.writeLock())).isFalse();
        assertThat(isFree(lock.writeLock())).isFalse();
        lock.readLock().unlock();
        assertThat(isFree(other.writeLock())).isTrue();
        assertThat(lock.inspect().isLocked()).isFalse();
    }

    @Test
    default void downgrade_againAndAgain_leavesNothing() {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        for (int i = 0; i < 20; i++) {
            lock.writeLock().lock();
            lock.readLock().lock();
            lock.writeLock().unlock();
            assertThat(isFree(other.readLock())).isTrue();
            lock.readLock().unlock();
            assertThat(isFree(other.writeLock())).isTrue();
        }
    }
}
