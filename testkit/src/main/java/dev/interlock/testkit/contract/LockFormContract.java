package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The {@code Lock} form: the rows "free" and "held by another" of the truth table, unlock, and the body methods (I9).
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface LockFormContract extends LockFixture {

    @Test
    default void lockForm_free_isHeld_byEveryMethod() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Caller.Action[] ways = {
            lock::lock,
            () -> lock.lock(LONG),
            lock::lockInterruptibly,
            () -> assertThat(lock.tryLock()).isTrue(),
            () -> assertThat(lock.tryLock(AMPLE)).isTrue(),
            () -> assertThat(lock.tryLock(AMPLE, LONG)).isTrue(),
            () -> assertThat(lock.tryLock(15, TimeUnit.SECONDS)).isTrue(),
            () -> assertThat(LockFixture.answerOf(lock, () -> lock.tryLock(AMPLE.negated(), LONG)))
                    .isTrue()
        };
        for (Caller.Action way : ways) {
            way.run();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(lock.holdCount()).isEqualTo(1);
            assertThat(other.tryLock()).isFalse();
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.holdCount()).isZero();
            assertThat(other.isLocked()).isFalse();
        }
    }

    @Test
    default void lockForm_heldByAnother_tryLock_isFalse() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        other.lock();

        assertThat(lock.tryLock()).isFalse();
        assertThat(LockFixture.answer(() -> lock.tryLock(Duration.ZERO))).isFalse();
        assertThat(LockFixture.answer(() -> lock.tryLock(BRIEF))).isFalse();
        assertThat(LockFixture.answer(() -> lock.tryLock(BRIEF, LONG))).isFalse();
        assertThat(LockFixture.answer(() -> lock.tryLock(20, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.remainingLease()).isZero();
    }

    /** The two locks of one name in one client are one lock; its owner is the thread. */
    @Test
    default void lockForm_heldByAnotherThread_tryLock_isFalse() {
        Interlock client = clients().open();
        String name = clients().name();
        client.lock(name).lock();

        DistributedLock same = client.lock(name);
        assertThat(same.isHeldByCurrentThread()).isTrue();
        assertThat(Caller.test(same::tryLock)).isFalse();
        assertThat(Caller.test(() -> LockFixture.answer(() -> same.tryLock(BRIEF))))
                .isFalse();
        assertThat(Caller.test(same::isHeldByCurrentThread)).isFalse();
        assertThat(Caller.test(() -> same.holdCount() == 0)).isTrue();
        assertThat(Caller.test(same::isLocked)).isTrue();
    }

    @Test
    default void lockForm_heldByAnother_lock_waitsUntilItIsFree() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Caller.Action[] ways = {
            other::lock,
            () -> other.lock(LONG),
            other::lockInterruptibly,
            () -> assertThat(other.tryLock(AMPLE)).isTrue(),
            () -> assertThat(other.tryLock(AMPLE, LONG)).isTrue(),
            () -> assertThat(other.tryLock(15, TimeUnit.SECONDS)).isTrue()
        };
        for (Caller.Action way : ways) {
            lock.lock();
            Caller<Boolean> waiting = Caller.startAction(() -> {
                way.run();
                assertThat(other.holdCount()).isEqualTo(1);
                other.unlock();
            });
            waiting.awaitBlocked();
            assertThat(waiting.isDone()).isFalse();
            lock.unlock();
            waiting.result();
        }
    }

    @Test
    default void lockForm_unlock_byAStranger_throws() {
        DistributedLock lock = lock();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LockLostException.class)
                .hasMessageContaining(lock.name());

        lock.lock();
        Throwable ofStranger = Caller.start(() -> {
                    lock.unlock();
                    return true;
                })
                .failure();
        assertThat(ofStranger)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LockLostException.class)
                .hasMessageContaining(lock.name());
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(lock::heldLease).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    default void lockForm_heldLease_isTheLeaseOfTheHold() {
        DistributedLock lock = lock();
        lock.lock(LONG);

        assertThat(lock.heldLease().name()).isEqualTo(lock.name());
        assertThat(lock.heldLease().isValid()).isTrue();
        assertThat(lock.heldLease().token())
                .isEqualTo(lock.inspect().holders().get(0).token());
        assertThat(lock.remainingLease()).isBetween(Duration.ofMinutes(4), LONG.length());
        lock.unlock();
        assertThatThrownBy(lock::heldLease).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    default void lockForm_runAndCall_holdDuringTheBody_andNotAfter() throws Exception {
        DistributedLock lock = lock();
        boolean[] held = new boolean[1];

        lock.run(() -> held[0] = lock.isHeldByCurrentThread());
        assertThat(held[0]).isTrue();
        assertThat(lock.isLocked()).isFalse();

        assertThat(lock.call(lock::holdCount)).isEqualTo(1);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    default void lockForm_runAndCall_passTheExceptionOfTheBody_andUnlock() {
        DistributedLock lock = lock();
        IllegalArgumentException ofBody = new IllegalArgumentException("of the body");

        assertThatThrownBy(() -> lock.run(() -> {
                    throw ofBody;
                }))
                .isSameAs(ofBody);
        assertThatThrownBy(() -> lock.call(() -> {
                    throw ofBody;
                }))
                .isSameAs(ofBody);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    default void lockForm_newCondition_isNotSupported() {
        assertThatThrownBy(lock()::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    default void lockForm_names_areChecked() {
        Interlock client = clients().open();
        assertThatThrownBy(() -> client.lock("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.lock("x".repeat(513)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("513");
        assertThatThrownBy(() -> client.lock("\ud800")).isInstanceOf(IllegalArgumentException.class);
    }
}
