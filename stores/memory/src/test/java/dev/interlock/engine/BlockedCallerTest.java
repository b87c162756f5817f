package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a thread sleeps that waits for a lock. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedCallerTest {

    private static final EngineClock CLOCK = new EngineClock(System::nanoTime);

    private static final long DAY_NANOS = Duration.ofDays(1).toNanos();

    @Test
    void withoutALimit_itSleepsUntilItIsNotified() throws Exception {
        assertSleeps(Thread.State.WAITING, EngineClock.NEVER, DAY_NANOS);
    }

    @Test
    void withALimit_itMayBeNotifiedBefore() throws Exception {
        assertSleeps(Thread.State.TIMED_WAITING, 2 * DAY_NANOS, DAY_NANOS);
    }

    private static void assertSleeps(Thread.State state, long untilNanos, long nowNanos) throws Exception {
        CompletableFuture<BlockedCaller> made = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            BlockedCaller caller = caller();
            made.complete(caller);
            // A thread may wake up for no reason.
            while (caller.outcome() == null) {
                caller.park(CLOCK, untilNanos, nowNanos);
            }
        });
        thread.setDaemon(true);
        thread.start();
        BlockedCaller caller = made.get(5, TimeUnit.MINUTES);
        await().until(() -> LockSupport.getBlocker(thread) == caller && thread.getState() == state);

        caller.decide(Outcome.NoLease.REFUSED);
        caller.notifyCaller();

        await().until(() -> !thread.isAlive());
    }

    /** It sleeps for what is left: the moments by themselves say nothing, since a clock begins anywhere. */
    @Test
    void withALimit_itWakesUpByItself() {
        BlockedCaller caller = caller();
        caller.park(CLOCK, DAY_NANOS + 1, DAY_NANOS);
        assertThat(caller.outcome()).isNull();
    }

    private static BlockedCaller caller() {
        Request request = new Request(LockId.lock("n"), Mode.exclusive(), LockOptions.defaults(), LeaseTerm.renewing());
        return new BlockedCaller(request, false, 1, EngineClock.NEVER);
    }
}
