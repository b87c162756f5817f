package dev.interlock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus.Holder;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** The same, and {@code lockAtLeastFor}, on a store that can keep a lock without a holder. */
abstract class LeavingProviderContract extends LockProviderContract {

    private static final Duration AT_MOST = Duration.ofMinutes(10);
    private static final Duration AT_LEAST = Duration.ofMinutes(5);

    @Test
    void lockAtLeastFor_keepsTheLock_afterTheTask() throws Exception {
        SimpleLock lock = locked(AT_MOST, AT_LEAST);
        lock.unlock();
        assertLocked();
        Holder left = client.lock(name).inspect().holders().get(0);
        assertThat(left.isLeft()).isTrue();
        assertThat(left.remainingLease()).isLessThanOrEqualTo(AT_LEAST);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
        assertLocked();
    }

    @Test
    void lockAtLeastFor_over_theNextGetsTheLock() throws Exception {
        locked(AT_MOST, Duration.ofMillis(200)).unlock();
        await().until(() -> {
            Optional<SimpleLock> next = other.lock(task(AT_MOST, Duration.ZERO));
            next.ifPresent(SimpleLock::unlock);
            return next.isPresent();
        });
    }

    @Test
    void lockAtLeastFor_overBeforeTheTask_isNothing() throws Exception {
        locked(AT_MOST, Duration.ofNanos(1)).unlock();
        assertUnlocked();
    }

    @Test
    void lockAtLeastFor_outlivesTheClient() throws Exception {
        Interlock shortLived = clients.open();
        new InterlockLockProvider(shortLived)
                .lock(task(AT_MOST, AT_LEAST))
                .orElseThrow()
                .unlock();
        shortLived.close();
        assertLocked();
    }

    @Test
    void taskThatOutlivesTheClient_keepsItsLock_forLockAtLeastFor() throws Exception {
        Interlock shortLived = clients.open(builder -> builder.closeTimeout(Duration.ofMillis(50)));
        SimpleLock lock = new InterlockLockProvider(shortLived)
                .lock(task(AT_MOST, AT_LEAST))
                .orElseThrow();
        shortLived.close();
        assertLocked();
        lock.unlock();
        assertLocked();
        assertThat(client.lock(name).inspect().holders().get(0).isLeft()).isTrue();
    }

    @Test
    void lockAtLeastFor_ofAnExtension_countsFromThat() throws Exception {
        SimpleLock lock = locked(AT_MOST, Duration.ZERO);
        lock.extend(AT_MOST, AT_LEAST).orElseThrow().unlock();
        assertLocked();
    }

    @Test
    void lockAtLeastFor_ofALostLock_leavesTheNextHolderAlone() throws Exception {
        SimpleLock lock = locked(AT_MOST, AT_LEAST);
        client.administration().forceUnlock(name);
        SimpleLock next = other.lock(task(AT_MOST, Duration.ZERO)).orElseThrow();
        lock.unlock();
        assertThat(client.lock(name).inspect().holders().get(0).isLeft()).isFalse();
        next.unlock();
        assertUnlocked();
    }
}
