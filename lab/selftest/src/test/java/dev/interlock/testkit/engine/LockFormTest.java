package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rules of the {@code Lock} form that the engine decides alone: threads, bodies, arguments. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class LockFormTest extends EngineSuite {

    /** The two locks of one name in one client are one lock; its owner is the thread. */
    @Test
    void lockForm_heldByAnotherThread_tryLock_isFalse() {
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
    void lockForm_unlock_byAStranger_throws() {
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
    void lockForm_heldLease_isTheLeaseOfTheHold() {
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
    void lockForm_runAndCall_holdDuringTheBody_andNotAfter() throws Exception {
        DistributedLock lock = lock();
        boolean[] held = new boolean[1];

        lock.run(() -> held[0] = lock.isHeldByCurrentThread());
        assertThat(held[0]).isTrue();
        assertThat(lock.isLocked()).isFalse();

        assertThat(lock.call(lock::holdCount)).isEqualTo(1);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void lockForm_runAndCall_passTheExceptionOfTheBody_andUnlock() {
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
    void lockForm_newCondition_isNotSupported() {
        assertThatThrownBy(lock()::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void lockForm_names_areChecked() {
        Interlock client = clients().open();
        assertThatThrownBy(() -> client.lock("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.lock("x".repeat(513)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("513");
        assertThatThrownBy(() -> client.lock("\ud800")).isInstanceOf(IllegalArgumentException.class);
    }
}
