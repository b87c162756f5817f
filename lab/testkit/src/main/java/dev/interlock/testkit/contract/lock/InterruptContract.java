package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Interrupts: the row "interrupted" of the truth table (I9, I6: nothing left behind). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface InterruptContract extends LockFixture {

    /** I9. */
    Duration OBSERVED = Duration.ofMillis(100);

    private static List<Caller.Action> interruptible(DistributedLock lock) {
        return List.of(
                lock::lockInterruptibly,
                () -> lock.tryLock(Patience.limit()),
                () -> lock.tryLock(Patience.limit(), LONG),
                () -> lock.tryLock(Patience.seconds(), TimeUnit.SECONDS),
                lock::acquire,
                () -> lock.acquire(LONG),
                () -> lock.tryAcquire(Patience.limit()),
                () -> lock.tryAcquire(Patience.limit(), LONG));
    }

    @Test
    default void interrupt_whileWaiting_throws_andLeavesNothing() {
        interruptWaiters(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void I09_interrupt_whileWaiting_throws_soon() {
        interruptWaiters(OBSERVED);
    }

    private void interruptWaiters(Duration limit) {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        lock.lock();
        for (Caller.Action way : interruptible(other)) {
            Caller<Boolean> waiting = Caller.startAction(way).awaitBlocked();
            if (storeListsWaiters()) {
                // Its request is not on its way any more, to be granted for a moment when the lock is free.
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> !lock.inspect().waiters().isEmpty());
            }

            try (Stopwatch watch = new Stopwatch()) {
                waiting.interrupt();
                assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
                watch.assertAtMost(limit, "from the interrupt to the exception");
            }
            await().pollInterval(Duration.ofMillis(2))
                    .until(() -> lock.inspect().waiters().isEmpty());
        }
        lock.unlock();
        assertThat(other.isLocked()).isFalse();
    }

    /** I9, I6: a caller whose request has no answer does not wait for it. */
    @Test
    default void I09_interrupt_whileTheStoreIsSilent_throws_andLeavesNothing() throws Exception {
        interruptInSilence(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void I09_interrupt_whileTheStoreIsSilent_throws_soon() throws Exception {
        interruptInSilence(OBSERVED);
    }

    private void interruptInSilence(Duration limit) throws Exception {
        FaultyStore faulty = faultyStore();
        // No time-out of ours ends a call before it is interrupted, and each request is given up soon.
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofSeconds(2))
                .closeTimeout(BRIEF));
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
                watch.assertAtMost(limit, "from the interrupt to the exception, under a silent store");
            }
        }
        faulty.blackHole().heal();

        Interlock other = clients().open();
        await().until(() ->
                asked.stream().noneMatch(lock -> other.lock(lock.name()).isLocked()));
    }
}
