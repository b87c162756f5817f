package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rules of the handle form that the engine decides alone. */
class HandleTest extends EngineSuite {

    @Test
    void handle_anyThread_mayCheckExtendAndRelease() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LONG);

        assertThat(Caller.test(lease::isValid)).isTrue();
        Caller.startAction(() -> lease.extend(Duration.ofMinutes(10))).result();
        assertThat(Caller.test(() -> lease.release().equals(ReleaseOutcome.RELEASED)))
                .isTrue();

        assertThat(lease.isValid()).isFalse();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void handle_released_staysSo_andSaysSo() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease next = lock.acquire();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        lease.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(LockLostException.class)
                .hasMessageContaining(lock.name());
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);

        assertThat(next.isValid()).isTrue();
        assertThat(lock.isLocked()).isTrue();
        next.close();
    }

    @Test
    void handle_closeInTryWithResources_hidesNoException() {
        DistributedLock lock = lock();
        IllegalArgumentException ofBody = new IllegalArgumentException("of the body");

        assertThatThrownBy(() -> {
                    try (Lease lease = lock.acquire()) {
                        assertThat(operator().forceUnlock(lock.name())).isTrue();
                        assertThat(lease.name()).isEqualTo(lock.name());
                        throw ofBody;
                    }
                })
                .isSameAs(ofBody)
                .hasNoSuppressedExceptions();
    }
}
