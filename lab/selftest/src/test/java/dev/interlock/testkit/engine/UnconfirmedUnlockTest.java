package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.fault.FaultyStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An unlock whose answer is missing (P02). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class UnconfirmedUnlockTest extends EngineSuite {

    private static final Duration ATTEMPT = Duration.ofMillis(300);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    private Interlock impatient(FaultyStore faulty) {
        return clients().open(faulty.store(), b -> b.attemptTimeout(ATTEMPT)
                .storeTimeout(STORE_TIMEOUT)
                .closeTimeout(ATTEMPT));
    }

    /** An unlock that is not confirmed is no error of the caller. */
    @Test
    void P02_unlock_withoutAnAnswer_doesNotThrow() {
        FaultyStore faulty = faultyStore();
        DistributedLock lock = impatient(faulty).lock(clients().name());
        lock.lock();
        faulty.blackHole().strike();

        lock.unlock();

        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        faulty.blackHole().heal();
        DistributedLock other = elsewhere(lock);
        await().until(() -> !other.isLocked());
    }
}
