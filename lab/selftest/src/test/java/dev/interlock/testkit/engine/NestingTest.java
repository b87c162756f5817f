package dev.interlock.testkit.engine;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.contract.lock.ReadWriteFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread with both sides, in every order (I9, P17). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class NestingTest extends EngineSuite implements ReadWriteFixture {

    @Test
    void nesting_readInRead_counts() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().holdCount()).isEqualTo(2);
        assertThat(lock.writeLock().holdCount()).isZero();
        lock.readLock().unlock();
        assertThat(isFree(lock.writeLock())).isFalse();
        lock.readLock().unlock();
        assertThat(isFree(elsewhere(lock).writeLock())).isTrue();
    }

    /** A reader that waited here for a writer that waits for it would wait for ever. */
    @Test
    void nesting_readInRead_evenWhileAWriterWaits() {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        lock.readLock().lock();
        Caller<Boolean> here = Caller.startAction(() -> LockFixture.lockAndUnlock(lock.writeLock()))
                .awaitBlocked();
        Caller<Boolean> there = Caller.startAction(() -> LockFixture.lockAndUnlock(other.writeLock()))
                .awaitBlocked();

        lock.readLock().lock();

        lock.readLock().unlock();
        lock.readLock().unlock();
        here.result();
        there.result();
    }

    @Test
    void nesting_writeInWrite_counts() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.writeLock().lock();
        lock.writeLock().lock();
        assertThat(lock.writeLock().holdCount()).isEqualTo(2);
        lock.writeLock().unlock();
        assertThat(isFree(lock.readLock())).isFalse();
        lock.writeLock().unlock();
        assertThat(isFree(elsewhere(lock).readLock())).isTrue();
    }

    /** P17: it would deadlock; two that tried would deadlock each other. */
    @Test
    void P17_nesting_writeInRead_isRefusedAtOnce() throws Exception {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedLock write = lock.writeLock();
        lock.readLock().lock();

        assertThatThrownBy(write::lock)
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContainingAll(
                        lock.name(), "read lock", Thread.currentThread().getName());
        assertThatThrownBy(write::lockInterruptibly).isInstanceOf(IllegalStateException.class);
        assertThat(write.tryLock()).isFalse();
        assertThat(write.tryLock(Patience.limit())).isFalse();
        assertThat(write.tryLock(1, TimeUnit.MINUTES)).isFalse();
        assertThat(write.tryLock(Patience.limit(), LONG)).isFalse();

        assertThat(write.holdCount()).isZero();
        assertThat(lock.readLock().holdCount()).isEqualTo(1);
        lock.readLock().unlock();
        LockFixture.lockAndUnlock(write);
    }

    @Test
    void nesting_readInWrite_costsNothing_andHasTheTokenOfTheWriter() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        DistributedReadWriteLock lock =
                clients().open(store, b -> b).readWriteLock(clients().name());
        lock.writeLock().lock();
        long before = store.requests();

        lock.readLock().lock();
        lock.readLock().lockInterruptibly();
        assertThat(lock.readLock().tryLock()).isTrue();
        assertThat(lock.readLock().tryLock(Duration.ZERO)).isTrue();

        assertThat(store.requests()).isEqualTo(before);
        assertThat(lock.readLock().holdCount()).isEqualTo(4);
        assertThat(lock.readLock().heldLease().token())
                .isEqualTo(lock.writeLock().heldLease().token());
        for (int i = 0; i < 4; i++) {
            lock.readLock().unlock();
        }
        assertThat(store.requests()).isEqualTo(before);
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        assertThat(isFree(elsewhere(lock).readLock())).isFalse();
        lock.writeLock().unlock();
        assertThat(isFree(elsewhere(lock).writeLock())).isTrue();
    }

    @Test
    void nesting_readInWrite_evenWhileOthersWait() {
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        lock.writeLock().lock();
        Caller<Boolean> here = Caller.startAction(() -> LockFixture.lockAndUnlock(lock.writeLock()))
                .awaitBlocked();
        Caller<Boolean> there = Caller.startAction(() -> LockFixture.lockAndUnlock(other.writeLock()))
                .awaitBlocked();

        lock.readLock().lock();
        lock.writeLock().unlock();

        assertThat(here.isDone()).isFalse();
        assertThat(there.isDone()).isFalse();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        lock.readLock().unlock();
        here.result();
        there.result();
    }

    @Test
    void downgrade_thenUpgrade_isRefused() {
        DistributedReadWriteLock lock = readWriteLock();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.writeLock().unlock();

        assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("Read lock '" + lock.name() + "'");
        LockFixture.lockAndUnlock(lock.writeLock());
    }

    // ---- all orders

    /** P17: as {@link ReentrantReadWriteLock}, step by step, for the thread itself and for one of another client. */
    @Tag(Effort.SCALED)
    @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void P17_nesting_anyOrder_isAsInJavaUtilConcurrent() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ReadWriteLock model = new ReentrantReadWriteLock(true);
        DistributedReadWriteLock lock = readWriteLock();
        DistributedReadWriteLock other = elsewhere(lock);
        int steps = Effort.pick(300, 20_000);
        for (int i = 0; i < steps; i++) {
            boolean reads = random.nextBoolean();
            DistributedLock side = reads ? lock.readLock() : lock.writeLock();
            Lock modelSide = reads ? model.readLock() : model.writeLock();
            String step = "seed=" + seed + " step=" + i + " reads=" + reads;
            if (random.nextInt(5) < 3) {
                assertThat(side.tryLock()).as(step + " tryLock").isEqualTo(modelSide.tryLock());
            } else {
                assertThat(isUnlocked(side)).as(step + " unlock").isEqualTo(isUnlocked(modelSide));
            }
            for (Side each : Side.values()) {
                Lock expected = each == Side.READ ? model.readLock() : model.writeLock();
                boolean free = Caller.test(() -> expected.tryLock() && isUnlocked(expected));
                assertThat(isFree(each.of(i % 2 == 0 ? lock : other)))
                        .as(step + " " + each + " for others")
                        .isEqualTo(free);
            }
        }
    }

    private static boolean isUnlocked(Lock side) {
        try {
            side.unlock();
            return true;
        } catch (IllegalMonitorStateException e) {
            return false;
        }
    }
}
