package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timed waits that end without the lock (I6, I7). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface TimedContract extends LockFixture {

    /** By how much a wait may be exceeded. */
    Duration TOLERANCE = Duration.ofMillis(50);

    @Test
    default void timed_heldByAnother_givesUpInTime_notBefore() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        Duration wait = Duration.ofMillis(200);
        // The first request of a client connects, which may take longer.
        assertThat(other.tryLock()).isFalse();
        List<Callable<Boolean>> ways = List.of(
                () -> other.tryLock(wait),
                () -> other.tryLock(wait, LONG),
                () -> other.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS),
                () -> other.tryAcquire(wait).isPresent(),
                () -> other.tryAcquire(wait, LONG).isPresent());
        for (Callable<Boolean> way : ways) {
            LockFixture.answer(() -> {
                try (Stopwatch watch = new Stopwatch()) {
                    assertThat(way.call()).isFalse();
                    watch.assertAtMost(wait.plus(TOLERANCE), "a wait of " + wait);
                    assertThat(watch.elapsed()).isGreaterThanOrEqualTo(wait);
                    return true;
                }
            });
        }
        await().untilAsserted(() -> assertThat(lock.inspect().waiters()).isEmpty());
    }

    @Test
    default void timed_zeroAndLess_tryOnce() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-10_000))) {
            await("got").atMost(AMPLE).pollInSameThread().until(() -> LockFixture.answer(() -> lock.tryLock(wait)));
            assertThat(LockFixture.answer(() -> other.tryLock(wait))).isFalse();
            assertThat(LockFixture.answer(() -> other.tryAcquire(wait))).isEmpty();
            lock.unlock();
        }
    }

    /** Waits longer than a count of nanoseconds can hold are waits all the same. */
    @Test
    default void timed_veryLongWaits_wait() throws Exception {
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

    /** A waiter that has given up is not woken in place of one that waits. */
    @Test
    default void timed_whoGaveUp_isNoLongerInTheWay() throws Exception {
        DistributedLock lock = lock();
        DistributedLock givesUp = elsewhere(lock);
        DistributedLock stays = elsewhere(lock);
        lock.lock();
        assertThat(LockFixture.answer(() -> givesUp.tryLock(BRIEF))).isFalse();
        Caller<Boolean> staying =
                Caller.startAction(() -> LockFixture.turn(stays)).awaitBlocked();

        lock.unlock();

        staying.result();
    }
}
