package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Patience;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
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
        assertThat(lock().forceUnlock()).isFalse();
    }

    @Test
    void asynchronousForms_answerAsTheOthersDo() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LONG);

        assertThat(get(lock.isLockedAsync())).isTrue();
        assertThat(get(lock.inspectAsync()).holders()).singleElement().satisfies(holder -> assertThat(holder.token())
                .isEqualTo(lease.token()));
        assertThat(get(lock.forceUnlockAsync())).isTrue();

        assertThat(lease.release().isLost()).isTrue();
        assertThat(get(lock.isLockedAsync())).isFalse();
        assertThat(get(lock.forceUnlockAsync())).isFalse();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void forceUnlock_ofWhatWasSeen_leavesThoseAloneWhoCameLater() throws Exception {
        DistributedLock lock = lock();
        Interlock operator = clients().open();
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
        assertThat(lock.writeLock().forceUnlock()).isTrue();
        assertThat(read.release().isLost()).isTrue();
    }
}
