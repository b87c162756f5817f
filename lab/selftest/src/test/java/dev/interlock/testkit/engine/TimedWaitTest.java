package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Arguments of timed waits. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class TimedWaitTest extends EngineSuite {

    @Test
    void timed_zeroAndLess_tryOnce() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-10_000))) {
            await("got").pollInSameThread().until(() -> LockFixture.answer(() -> lock.tryLock(wait)));
            assertThat(LockFixture.answer(() -> other.tryLock(wait))).isFalse();
            assertThat(LockFixture.answer(() -> other.tryAcquire(wait))).isEmpty();
            lock.unlock();
        }
    }

    /** Waits longer than a count of nanoseconds can hold are waits all the same. */
    @Test
    void timed_veryLongWaits_wait() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        Caller<Boolean> waiting = Caller.start(
                        () -> other.tryLock(Duration.ofSeconds(Long.MAX_VALUE)) && unlocked(other))
                .awaitBlocked();
        Caller<Boolean> jucStyle = Caller.start(() -> other.tryLock(Long.MAX_VALUE, TimeUnit.DAYS) && unlocked(other))
                .awaitBlocked();
        lock.unlock();
        assertThat(waiting.result()).isTrue();
        assertThat(jucStyle.result()).isTrue();
    }

    private static boolean unlocked(DistributedLock lock) {
        lock.unlock();
        return true;
    }
}
