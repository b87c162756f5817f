package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Interrupts: the row "interrupted" of the truth table (I9: observed within 100 ms; I6: nothing left behind). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface InterruptContract extends LockFixture {

    /** I9. */
    Duration OBSERVED = Duration.ofMillis(100);

    private static List<Caller.Action> interruptible(DistributedLock lock) {
        return List.of(
                lock::lockInterruptibly,
                () -> lock.tryLock(AMPLE),
                () -> lock.tryLock(AMPLE, LONG),
                () -> lock.tryLock(15, TimeUnit.SECONDS),
                lock::acquire,
                () -> lock.acquire(LONG),
                () -> lock.tryAcquire(AMPLE),
                () -> lock.tryAcquire(AMPLE, LONG));
    }

    @Test
    default void interrupt_whileWaiting_throws_soon_andLeavesNothing() {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        for (Caller.Action way : interruptible(other)) {
            Caller<Boolean> waiting = Caller.startAction(way).awaitBlocked();

            try (Stopwatch watch = new Stopwatch()) {
                waiting.interrupt();
                assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
                watch.assertAtMost(OBSERVED, "from the interrupt to the exception");
            }
        }
        await().untilAsserted(() -> assertThat(lock.inspect().waiters()).isEmpty());
        lock.unlock();
        assertThat(other.isLocked()).isFalse();
    }

    /** I9, I6: whoever asked a store that is silent does not wait for its answer. */
    @Test
    default void I09_interrupt_whileTheStoreIsSilent_throws_soon_andLeavesNothing() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.closeTimeout(BRIEF));
        DistributedLock first = client.lock(clients().name());
        LockFixture.answerOf(first, first::acquire).close();
        long hits = faulty.blackHole().hits();
        faulty.blackHole().strike();
        List<DistributedLock> asked = new ArrayList<>();
        List<Caller<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < interruptible(first).size(); i++) {
            DistributedLock lock = client.lock(clients().name());
            asked.add(lock);
            waiting.add(Caller.startAction(interruptible(lock).get(i)).awaitBlocked());
        }
        await().until(() -> faulty.blackHole().hits() > hits);
        for (Caller<Boolean> caller : waiting) {
            try (Stopwatch watch = new Stopwatch()) {
                caller.interrupt();
                assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
                watch.assertAtMost(OBSERVED, "from the interrupt to the exception, under a silent store");
            }
        }
        faulty.blackHole().heal();

        Interlock other = clients().open();
        await().atMost(AMPLE).until(() -> asked.stream()
                .noneMatch(lock -> other.lock(lock.name()).isLocked()));
    }

    @Test
    default void interrupt_beforeTheCall_throws_andAcquiresNothing() {
        DistributedLock lock = lock();
        for (Caller.Action way : interruptible(lock)) {
            Caller<Boolean> interrupted = Caller.startAction(() -> {
                Thread.currentThread().interrupt();
                way.run();
            });
            assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        }
        await().until(() -> !lock.isLocked());
    }

    @Test
    default void interrupt_whileWaiting_lock_waitsOn_andSetsTheFlagAgain() {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        Caller<Boolean> waiting = Caller.start(() -> {
                    other.lock();
                    boolean flag = Thread.interrupted();
                    other.unlock();
                    return flag;
                })
                .awaitBlocked();

        waiting.interrupt();
        await().during(BRIEF).until(() -> !waiting.isDone());
        lock.unlock();

        assertThat(waiting.result()).isTrue();
    }

    @Test
    default void interrupt_beforeLock_lock_acquires_andKeepsTheFlag() {
        DistributedLock lock = lock();
        boolean flag = Caller.call(() -> {
            Thread.currentThread().interrupt();
            lock.lock();
            boolean kept = Thread.interrupted();
            lock.unlock();
            return kept;
        });
        assertThat(flag).isTrue();
    }

    @Test
    default void interrupt_isNotLookedAt_byTheUntimedTry() {
        DistributedLock lock = lock();
        boolean flag = Caller.call(() -> {
            Thread.currentThread().interrupt();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            lock.tryAcquire().orElseThrow().close();
            return Thread.interrupted();
        });
        assertThat(flag).isTrue();
    }

    @Test
    default void interrupt_ofAWaiterBehindALocalHolder_leavesTheOthersInLine() {
        DistributedLock lock = lock();
        lock.lock();
        Caller<Boolean> first = Caller.startAction(lock::lockInterruptibly).awaitBlocked();
        Caller<Boolean> second =
                Caller.startAction(() -> LockFixture.turn(lock)).awaitBlocked();

        first.interrupt();
        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        lock.unlock();

        second.result();
        await().until(() -> !lock.isLocked());
    }
}
