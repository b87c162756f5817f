package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
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
            () -> assertThat(lock.tryLock(Patience.limit())).isTrue(),
            () -> assertThat(lock.tryLock(Patience.limit(), LONG)).isTrue(),
            () -> assertThat(lock.tryLock(Patience.seconds(), TimeUnit.SECONDS)).isTrue(),
            () -> assertThat(LockFixture.answerOf(
                            lock, () -> lock.tryLock(Patience.limit().negated(), LONG)))
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

    @Test
    default void lockForm_heldByAnother_lock_waitsUntilItIsFree() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Caller.Action[] ways = {
            other::lock,
            () -> other.lock(LONG),
            other::lockInterruptibly,
            () -> assertThat(other.tryLock(Patience.limit())).isTrue(),
            () -> assertThat(other.tryLock(Patience.limit(), LONG)).isTrue(),
            () -> assertThat(other.tryLock(Patience.seconds(), TimeUnit.SECONDS))
                    .isTrue()
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
}
