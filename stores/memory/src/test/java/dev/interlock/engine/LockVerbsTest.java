package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.spi.GroupMember;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs of a lock and of the two sides of a read/write lock, for the thread that calls them. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockVerbsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LockOptions TEN_SECONDS =
            LockOptions.builder().lease(LeaseTerm.fixed(Duration.ofSeconds(10))).build();

    private final Simulation one = Simulation.start();
    private final DistributedLock lock = one.lock("n");
    private final DistributedReadWriteLock both = one.readWriteLock("n", LockOptions.defaults());

    private static void onThread(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.start();
        thread.join();
    }

    @Test
    void timedAttempts_sayWhetherTheyWereServed() throws Exception {
        assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
        lock.unlock();
        one.neighbour().acquire("n").join();
        assertThat(lock.tryLock(0, TimeUnit.HOURS)).isFalse();
        assertThat(lock.tryLock(Duration.ZERO)).isFalse();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.remainingLease()).isZero();
    }

    // ---- messages

    @Test
    void unlock_byAnotherThread_namesTheOneThatHolds() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageStartingWith("Lock 'n' is not held by thread ")
                .hasMessageEndingWith("no thread of this process holds it");
        onThread("holder", lock::lock);
        assertThatThrownBy(lock::unlock).hasMessageContaining("it was acquired by thread 'holder'");
    }

    /** The thread is the same, so its number alone would say that it holds the lock and does not. */
    @Test
    void unlock_ofALease_saysThatItIsClosed() throws Exception {
        try (Lease lease = lock.acquire()) {
            assertThatThrownBy(lock::unlock).hasMessageEndingWith("what acquire() returned is closed as a Lease");
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void unlock_ofTheReadLock_namesAReader_andNotTheWriter() throws Exception {
        onThread("writer", both.writeLock()::lock);
        assertThatThrownBy(both.readLock()::unlock)
                .hasMessageStartingWith("Read lock 'n' is not held by thread ")
                .hasMessageEndingWith("no thread of this process holds it");
        assertThatThrownBy(both.writeLock()::unlock)
                .hasMessageStartingWith("Write lock 'n' is not held by thread ")
                .hasMessageContaining("it was acquired by thread 'writer'");
    }

    @Test
    void locks_sayTheirTypeAndName() {
        assertThat(lock).hasToString("DistributedLock[name=n]");
        assertThat(both.readLock()).hasToString("ReadLock[name=n]");
        assertThat(both.writeLock()).hasToString("WriteLock[name=n]");
        assertThat(both.toString()).contains("[name=n]");
    }

    // ---- what a thread holds already

    @Test
    void attempt_ofAThreadThatHasLostWhatItHolds_saysLost() throws Exception {
        DistributedLock once =
                one.lock("once", TEN_SECONDS.toBuilder().reentrant(false).build());
        DistributedReadWriteLock sides = one.readWriteLock("sides", TEN_SECONDS);
        once.lock();
        sides.readLock().lock();
        assertThat(once.tryLock()).isFalse();
        assertThat(sides.writeLock().tryLock()).isFalse();
        one.clock.advance(MINUTE);
        assertThatThrownBy(once::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> once.tryLock(MINUTE)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(sides.writeLock()::tryLock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(sides.writeLock()::lock).isInstanceOf(LockLostException.class);
    }

    @Test
    void otherSide_isHeld_whileTheThreadHoldsIt() {
        GroupMember reader = (GroupMember) both.readLock();
        GroupMember writer = (GroupMember) both.writeLock();
        assertThat(reader.isOtherSideHeld()).isFalse();
        assertThat(writer.isOtherSideHeld()).isFalse();
        both.readLock().lock();
        assertThat(reader.isOtherSideHeld()).isFalse();
        assertThat(writer.isOtherSideHeld()).isTrue();
        both.readLock().unlock();
        both.writeLock().lock();
        assertThat(reader.isOtherSideHeld()).isTrue();
        assertThat(writer.isOtherSideHeld()).isFalse();
        both.writeLock().unlock();
        lock.lock();
        assertThat(((GroupMember) lock).isOtherSideHeld()).isFalse();
    }

    @Test
    void leaseThatAThreadAdopts_isItsHold_untilItLeaves() {
        GroupMember member = (GroupMember) lock;
        Lease lease = one.acquire("n").join();
        member.adopt(lease);
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(member.leave()).isNull();
        assertThat(member.leave()).isSameAs(lease);
        assertThat(lock.holdCount()).isZero();
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void sharedHold_isUndoneByAnyThread_once() throws Exception {
        lock.lock();
        Supplier<Lease> shared = ((GroupMember) lock).share();
        assertThat(lock.holdCount()).isEqualTo(2);
        onThread("early", () -> assertThat(shared.get()).isNull());
        assertThat(shared.get()).isNull();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void sharedHold_thatIsTheLast_hasTheLease_andTheThreadLocksAnew() throws Exception {
        lock.lock();
        Lease lease = lock.heldLease();
        Supplier<Lease> shared = ((GroupMember) lock).share();
        lock.unlock();
        assertThat(lease.isValid()).isTrue();
        onThread("late", () -> {
            Lease last = shared.get();
            assertThat(last).isSameAs(lease);
            lease.close();
        });
        assertThat(lock.holdCount()).isZero();
        lock.lock();
        assertThat(lock.heldLease()).isNotSameAs(lease);
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
        assertThat(one.isAtRest()).isTrue();
    }
}
