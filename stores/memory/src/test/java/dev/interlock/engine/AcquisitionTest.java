package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that wait, on a manual clock: how long, and for what. A thread sleeps in real time, and looks at the clock
 * when it wakes up: it goes on if the test has moved that.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcquisitionTest {

    private static final Duration TEN_MILLIS = Duration.ofMillis(10);

    private final Simulation one = Simulation.start();
    private final DistributedLock lock = one.lock("n");

    private Thread caller = Thread.currentThread();

    /** Calls it on another thread, which sleeps now, or is done. */
    private <T> FutureTask<T> waiting(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        caller = new Thread(task, "caller");
        caller.setDaemon(true);
        caller.start();
        await().until(() -> task.isDone() || LockSupport.getBlocker(caller) instanceof BlockedCaller);
        return task;
    }

    /** The caller wakes up, and looks at the clock and what it can do then. */
    private void wakesUp() {
        AtomicInteger readings = new AtomicInteger();
        one.clock.beforeReading(() -> {
            if (Thread.currentThread() == caller) {
                readings.incrementAndGet();
            }
        });
        await().until(() -> {
            LockSupport.unpark(caller);
            return readings.get() > 5;
        });
        one.clock.beforeReading(() -> {});
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(Patience.AMPLE.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Test
    void singleAttempt_waitsForItsReply() throws Exception {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        FutureTask<Boolean> call = waiting(lock::tryLock);
        one.clock.advance(Simulation.ATTEMPT_TIMEOUT.dividedBy(2));
        one.store.letGo();
        assertThat(result(call)).isTrue();
    }

    @Test
    void timedWait_isServedWithinItsTime() throws Exception {
        Lease held = one.acquire("n").join();
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(Duration.ofHours(1)));
        assertThat(call).isNotDone();
        held.close();
        assertThat(result(call)).isPresent();
    }

    @Test
    void waitOfNoTime_isOneAttempt() throws Exception {
        one.neighbour().acquire("n").join();
        assertThat(result(waiting(() -> lock.tryAcquire(Duration.ZERO)))).isEmpty();
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Not a moment later: a thread that looks at its deadline exactly then has nothing to sleep for. */
    @Test
    void timedWait_endsAtItsDeadline() throws Exception {
        one.acquire("n").join();
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(TEN_MILLIS));
        one.clock.advance(TEN_MILLIS);
        assertThat(result(call)).isEmpty();
    }

    /** The time is over, and the store has not said anything yet: its first reply may be a grant. */
    @Test
    void timedWait_whoseTimeIsOver_staysForTheFirstReply() throws Exception {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(TEN_MILLIS));
        one.advance(Simulation.ATTEMPT_TIMEOUT.minusNanos(1));
        wakesUp();
        assertThat(call).isNotDone();
        one.store.letGo();
        assertThat(result(call)).isPresent();
    }

    @Test
    void timedWait_whoseTimeIsOver_isRefusedByTheFirstReply() throws Exception {
        one.neighbour().acquire("n").join();
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(TEN_MILLIS));
        one.advance(Duration.ofMillis(50));
        wakesUp();
        one.store.letGo();
        assertThat(result(call)).isEmpty();
    }

    @Test
    void timedWait_withoutAnyReply_endsWithItsAttempt() throws Exception {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(TEN_MILLIS));
        one.advance(Duration.ofMillis(50));
        wakesUp();
        one.advance(Simulation.ATTEMPT_TIMEOUT);
        assertThatThrownBy(() -> result(call)).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    /** Longer than an attempt: it has had one. */
    @Test
    void timedWait_withoutAnyReply_endsAtItsDeadline() throws Exception {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(Duration.ofSeconds(1)));
        one.advance(Duration.ofSeconds(1));
        LockSupport.unpark(caller);
        assertThatThrownBy(() -> result(call)).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void timedWait_thatStaysForTheFirstReply_isInterruptedAtOnce() throws Exception {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        FutureTask<Optional<Lease>> call = waiting(() -> lock.tryAcquire(Duration.ZERO));
        caller.interrupt();
        assertThatThrownBy(() -> result(call)).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void threadThatMayNotWait_isRefused_beforeAnythingIsSent() {
        TransitStore store = new TransitStore(new MemoryStore()) {
            @Override
            public void ensureMayWait() {
                throw new IllegalStateException("Not on this thread");
            }
        };
        try (Interlock client = Interlock.builder(store).build()) {
            assertThatThrownBy(client.lock("n")::tryLock).hasMessage("Not on this thread");
            assertThat(store.count(Verb.ACQUIRE)).isZero();
        }
    }
}
