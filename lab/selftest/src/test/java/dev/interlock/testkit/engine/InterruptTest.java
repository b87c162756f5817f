package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Interrupts that no request is in the way of: the row "interrupted" of the truth table. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class InterruptTest extends EngineSuite {

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
    void interrupt_beforeTheCall_throws_andAcquiresNothing() {
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
    void interrupt_whileWaiting_lock_waitsOn_andSetsTheFlagAgain() {
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
    void interrupt_beforeLock_lock_acquires_andKeepsTheFlag() {
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
    void interrupt_isNotLookedAt_byTheUntimedTry() {
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
    void interrupt_ofAWaiterBehindALocalHolder_leavesTheOthersInLine() {
        DistributedLock lock = lock();
        lock.lock();
        Caller<Boolean> first = Caller.startAction(lock::lockInterruptibly).awaitBlocked();
        Caller<Boolean> second =
                Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();

        first.interrupt();
        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        lock.unlock();

        second.result();
        await().until(() -> !lock.isLocked());
    }
}
