package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timed waits that end without the lock (I6, I7). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface TimedContract extends LockFixture {

    Duration WAIT = Duration.ofMillis(200);

    /** By how much a wait may be exceeded. */
    Duration TOLERANCE = Duration.ofMillis(50);

    @Test
    default void timed_heldByAnother_isFalse_notBeforeItsTime() throws Exception {
        waitInVain(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void timed_heldByAnother_givesUpInTime() throws Exception {
        waitInVain(WAIT.plus(TOLERANCE));
    }

    private void waitInVain(Duration limit) throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        // The first request of a client connects, which may take longer.
        assertThat(other.tryLock()).isFalse();
        List<Callable<Boolean>> ways = List.of(
                () -> other.tryLock(WAIT),
                () -> other.tryLock(WAIT, LONG),
                () -> other.tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS),
                () -> other.tryAcquire(WAIT).isPresent(),
                () -> other.tryAcquire(WAIT, LONG).isPresent());
        for (Callable<Boolean> way : ways) {
            LockFixture.answer(() -> {
                try (Stopwatch watch = new Stopwatch()) {
                    assertThat(way.call()).isFalse();
                    watch.assertAtMost(limit, "a wait of " + WAIT);
                    assertThat(watch.elapsed()).isGreaterThanOrEqualTo(WAIT);
                    return true;
                }
            });
        }
        await().untilAsserted(() -> assertThat(lock.inspect().waiters()).isEmpty());
    }

    /** A waiter that has given up is not woken in place of one that waits. */
    @Test
    default void timed_whoGaveUp_isNoLongerInTheWay() throws Exception {
        DistributedLock lock = lock();
        DistributedLock givesUp = elsewhere(lock);
        DistributedLock stays = elsewhere(lock);
        lock.lock();
        assertThat(LockFixture.answer(() -> givesUp.tryLock(BRIEF))).isFalse();
        Caller<Boolean> staying =
                Caller.startAction(() -> LockFixture.lockAndUnlock(stays)).awaitBlocked();

        lock.unlock();

        staying.result();
    }
}
