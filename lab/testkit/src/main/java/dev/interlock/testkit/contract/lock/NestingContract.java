package dev.interlock.testkit.contract.lock;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One thread with both sides, in every order (I9, P17). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface NestingContract extends ReadWriteFixture {

    // ---- downgrading

    /** P17: readers that wait are let in by the downgrade, not by a poll or by the end of the lease. */
    @Test
    default void P17_downgrade_letsReadersIn_hereAndElsewhere() {
        downgrade(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P17_downgrade_letsReadersInSoon() {
        downgrade(Duration.ofSeconds(storeWakes() ? 1 : 2));
    }

    private void downgrade(Duration limit) {
        String name = clients().name();
        DistributedReadWriteLock lock = clients().open(b -> b.pollCap(NEVER)).readWriteLock(name);
        DistributedReadWriteLock other = clients().open(b -> b.pollCap(NEVER)).readWriteLock(name);
        lock.writeLock().lock(LeaseTerm.fixed(NEVER));
        lock.readLock().lock(LeaseTerm.fixed(NEVER));
        Caller<Boolean> here = Caller.startAction(() -> LockFixture.lockAndUnlock(lock.readLock()))
                .awaitBlocked();
        Caller<Boolean> there = Caller.startAction(() -> LockFixture.lockAndUnlock(other.readLock()))
                .awaitBlocked();

        try (Stopwatch watch = new Stopwatch()) {
            lock.writeLock().unlock();
            here.result();
            there.result();
            watch.assertAtMost(limit, "readers after a downgrade");
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
