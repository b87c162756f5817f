package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The handle form: a lease of no thread, for single use. */
interface HandleContract extends LockFixture {

    private static List<Callable<Lease>> ways(DistributedLock lock) {
        return List.of(
                lock::acquire,
                () -> lock.acquire(LONG),
                () -> lock.tryAcquire().orElseThrow(),
                () -> lock.tryAcquire(AMPLE).orElseThrow(),
                () -> lock.tryAcquire(AMPLE, LONG).orElseThrow(),
                () -> LockFixture.answerOf(lock, () -> lock.tryAcquire(Duration.ZERO, LONG))
                        .orElseThrow());
    }

    @Test
    default void handle_free_isALease_byEveryMethod_withGrowingTokens() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        long last = 0;
        for (Callable<Lease> way : ways(lock)) {
            try (Lease lease = way.call()) {
                assertThat(lease.name()).isEqualTo(lock.name());
                assertThat(lease.isValid()).isTrue();
                assertThat(lease.remaining()).isPositive();
                lease.ensureValid();
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
                assertThat(other.tryAcquire()).isEmpty();
                assertThat(other.tryLock()).isFalse();
            }
            assertThat(other.isLocked()).isFalse();
        }
    }

    @Test
    default void handle_tokens_growOverClients() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        long last = 0;
        for (int i = 0; i < 20; i++) {
            try (Lease lease = (i % 2 == 0 ? lock : other).acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
    }

    @Test
    default void handle_heldByAnother_waits_orIsEmpty() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire();
        assertThat(other.tryAcquire()).isEmpty();
        assertThat(LockFixture.answer(() -> other.tryAcquire(BRIEF))).isEmpty();
        Caller<Lease> waiting = Caller.start(() -> other.acquire(LONG)).awaitBlocked();

        held.release();

        try (Lease next = waiting.result()) {
            assertThat(next.token()).isGreaterThan(held.token());
        }
    }

    @Test
    default void handle_anyThread_mayCheckExtendAndRelease() throws Exception {
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
    default void handle_released_staysSo_andSaysSo() throws Exception {
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
    default void handle_closeInTryWithResources_hidesNoException() {
        DistributedLock lock = lock();
        IllegalArgumentException ofBody = new IllegalArgumentException("of the body");

        assertThatThrownBy(() -> {
                    try (Lease lease = lock.acquire()) {
                        assertThat(lock.forceUnlock()).isTrue();
                        assertThat(lease.name()).isEqualTo(lock.name());
                        throw ofBody;
                    }
                })
                .isSameAs(ofBody)
                .hasNoSuppressedExceptions();
    }
}
