package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockAdministration;
import dev.interlock.LockStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators see and do, as far as the engine decides it. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class OperatorTest extends EngineSuite {

    @Test
    void inspect_ofAFreeLock_isEmpty() {
        DistributedLock lock = lock();
        assertThat(lock.inspect().isLocked()).isFalse();
        assertThat(lock.inspect().waiters()).isEmpty();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void forceUnlock_ofAFreeLock_isFalse() {
        assertThat(operator().forceUnlock(clients().name())).isFalse();
    }

    @Test
    void forceUnlock_byName_endsTheHoldersOfEachKind() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Lease lock = client.lock(name).acquire(LONG);
        Lease reader = client.readWriteLock(name).readLock().acquire(LONG);
        Lease permit = client.semaphore(name, 2).acquire(1, LONG);

        assertThat(client.lock(name).inspect().holders()).singleElement().satisfies(holder -> assertThat(holder.token())
                .isEqualTo(lock.token()));
        assertThat(operator().forceUnlock(name)).isTrue();

        assertThat(List.of(lock, reader, permit))
                .allMatch(lease -> lease.release().isLost());
        assertThat(operator().inspect(name)).isEmpty();
        assertThat(operator().forceUnlock(name)).isFalse();
    }

    @Test
    void forceUnlock_ofWhatWasSeen_leavesThoseAloneWhoCameLater() throws Exception {
        DistributedLock lock = lock();
        LockAdministration operator = operator();
        Lease first = lock.acquire(LONG);
        LockStatus seen = operator.inspect(lock.name()).get(0);
        first.close();
        Lease next = elsewhere(lock).acquire(LONG);

        assertThat(operator.forceUnlock(seen)).isFalse();
        assertThat(next.isValid()).isTrue();
        assertThat(operator.forceUnlock(operator.inspect(lock.name()).get(0))).isTrue();
        assertThat(next.release().isLost()).isTrue();
    }

    @Test
    void sideOfAReadWriteLock_isTheWholeLockToAnOperator() throws Exception {
        DistributedReadWriteLock lock = clients().open().readWriteLock(clients().name());
        Lease read = lock.readLock().acquire(LONG);

        assertThat(lock.writeLock().isLocked()).isTrue();
        assertThat(lock.writeLock().inspect().holders()).hasSize(1);
        assertThat(operator().forceUnlock(lock.name())).isTrue();
        assertThat(read.release().isLost()).isTrue();
    }
}
