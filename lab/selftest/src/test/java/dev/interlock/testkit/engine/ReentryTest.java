package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Re-entry: the row "held by this thread" of the truth table (I9). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class ReentryTest extends EngineSuite {

    @Test
    void reentry_byEveryMethod_countsOneMore() throws Exception {
        DistributedLock lock = lock();
        lock.lock(LONG);
        lock.lock();
        lock.lock(LONG);
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(Duration.ZERO)).isTrue();
        assertThat(lock.tryLock(BRIEF, LONG)).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(8);

        for (int left = 7; left >= 0; left--) {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(lock.isLocked()).isTrue();
            lock.unlock();
            assertThat(lock.holdCount()).isEqualTo(left);
        }
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void reentry_throughAnotherObjectOfTheSameName_counts() {
        Interlock client = clients().open();
        String name = clients().name();
        client.lock(name).lock();

        DistributedLock same = client.lock(name);
        same.lock();
        assertThat(client.lock(name).holdCount()).isEqualTo(2);
        same.unlock();
        same.unlock();
        assertThat(same.isLocked()).isFalse();
    }

    @Test
    void reentry_costsNoRequest_andKeepsTheToken() {
        CountingStore store = new CountingStore(clients().store());
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        lock.lock(LONG);
        long token = lock.heldLease().token();
        long before = store.requests();

        for (int i = 0; i < 1000; i++) {
            lock.lock();
        }
        assertThat(lock.heldLease().token()).isEqualTo(token);
        for (int i = 0; i < 1000; i++) {
            lock.unlock();
        }

        assertThat(store.requests()).isEqualTo(before);
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
    }

    /** Two forms of one lock: a handle is nobody's re-entry. */
    @Test
    void reentry_isNotForHandles_inEitherOrder() throws Exception {
        DistributedLock lock = lock();
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(LockFixture.answer(() -> lock.tryAcquire(BRIEF))).isEmpty();
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
        lock.lock();
        assertThat(lock.tryAcquire()).isEmpty();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }
}
