package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
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
                () -> lock.tryAcquire(Patience.limit()).orElseThrow(),
                () -> lock.tryAcquire(Patience.limit(), LONG).orElseThrow(),
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
}
