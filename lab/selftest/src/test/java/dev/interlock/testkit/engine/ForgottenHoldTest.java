package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A thread that has lost a lock and acquires it again, with the option by which it begins anew. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock are what is tested
class ForgottenHoldTest extends EngineSuite {

    private static final LockOptions FORGETFUL =
            LockOptions.builder().forgetLostHolds(true).build();

    private static final LeaseTerm SHORT = LeaseTerm.fixed(Duration.ofMillis(60));

    private DistributedLock forgetful(LockOptions options) {
        return clients().open().lock(clients().name(), options);
    }

    private static void lose(DistributedLock lock) {
        lock.lock(SHORT);
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
    }

    @Test
    void lostHold_isForgotten_byEveryWayToLock() throws Exception {
        DistributedLock lock = forgetful(FORGETFUL);
        List<Callable<Boolean>> ways = List.of(
                () -> {
                    lock.lock();
                    return true;
                },
                () -> {
                    lock.lockInterruptibly(LONG);
                    return true;
                },
                () -> lock.tryLock(),
                () -> lock.tryLock(LONG),
                () -> lock.tryLock(Patience.limit()),
                () -> lock.tryLock(Patience.limit(), LONG));
        for (Callable<Boolean> way : ways) {
            lose(lock);
            long lost = lock.heldLease().token();

            assertThat(way.call()).isTrue();

            assertThat(lock.holdCount()).isOne();
            assertThat(lock.heldLease().token()).isGreaterThan(lost);
            lock.unlock();
            assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        }
    }

    @Test
    void lostHold_isNotForgotten_byDefault_norByUnlocking() {
        DistributedLock byDefault = forgetful(LockOptions.defaults());
        lose(byDefault);
        assertThatThrownBy(byDefault::lock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(byDefault::unlock).isInstanceOf(LockLostException.class);

        DistributedLock lock = forgetful(FORGETFUL);
        lose(lock);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void standingHold_isReentered() {
        DistributedLock lock = forgetful(FORGETFUL);
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void lostHold_ofANonReentrantLock_isForgotten() {
        DistributedLock lock = forgetful(FORGETFUL.toBuilder().reentrant(false).build());
        lose(lock);
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isFalse();
        lock.unlock();
    }

    @Test
    void lostHold_ofOneSide_isForgotten_byTheOther() {
        DistributedReadWriteLock lock = clients().open().readWriteLock(clients().name(), FORGETFUL);
        lose(lock.writeLock());

        lock.readLock().lock();

        assertThat(lock.writeLock().holdCount()).isZero();
        lock.readLock().unlock();
        lose(lock.readLock());
        lock.writeLock().lock();
        assertThat(lock.readLock().holdCount()).isZero();
        lock.writeLock().unlock();
    }

    /** A single attempt for a term needs no lock object of its own. */
    @Test
    void attemptsWithATerm_holdForThatTerm() throws Exception {
        DistributedLock lock = lock();
        Duration length = LONG.length();
        assertThat(lock.tryLock(LONG)).isTrue();
        assertThat(lock.remainingLease()).isBetween(length.dividedBy(2), length);
        lock.unlock();
        lock.lockInterruptibly(LONG);
        assertThat(lock.remainingLease()).isBetween(length.dividedBy(2), length);
        lock.unlock();
        try (var lease = lock.tryAcquire(LONG).orElseThrow()) {
            assertThat(lease.remaining()).isBetween(length.dividedBy(2), length);
            assertThat(lock.tryAcquire(LONG)).isEmpty();
            assertThat(lock.tryLock(LONG)).isFalse();
        }
    }
}
