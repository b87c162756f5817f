package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one thread that watches the time. Invariants I4, I6, I9. */
@Tag("scaled")
class SupervisorTest {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    /** Renewal throws an Error, as a store that is broken in a new way would: the thread stays, and the lease is renewed by the next try. */
    @Test
    void anErrorInASweepDoesNotEndIt() {
        BreakingStore store = new BreakingStore(5);
        try (Interlock client = Interlock.builder(store).build()) {
            Lease lease = client.lock("n").tryAcquire().orElseThrow();
            assertThat(lease.isValid()).isTrue();
            Lease renewed = acquire(client, "renewed");
            await().atMost(Duration.ofSeconds(20)).until(() -> store.renewals.get() > 8);
            assertThat(renewed.isValid()).isTrue();
        }
    }

    /**
     * Many threads arm moments in any order while turns are taken: the turn after a moment was armed never says to look again later than that moment (or
     * than the pause between two sweeps).
     */
    @Test
    void noEarlierMomentIsLostWhenManyThreadsArm() throws Exception {
        int rounds = LONG ? 200_000 : 10_000;
        ManualClock clock = new ManualClock();
        EngineCore core = new EngineCore(new MemoryStore(clock), config(), clock, watch -> new Thread(() -> {}));
        Supervisor supervisor = core.supervisor();
        long pause = Duration.ofMillis(25).toNanos();
        int threads = 3;
        AtomicLong earliest = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(threads + 1);
        CyclicBarrier end = new CyclicBarrier(threads + 1);
        AtomicBoolean stop = new AtomicBoolean();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> armUntilStopped(supervisor, earliest, start, end, stop));
            thread.setDaemon(true);
            thread.start();
        }
        for (int round = 0; round < rounds; round++) {
            clock.advance(Duration.ofSeconds(10));
            long now = core.now();
            // Everything armed before is due by now: one turn forgets it.
            supervisor.turn(now);
            clock.advanceNanos(pause);
            earliest.set(Long.MAX_VALUE);
            start.await();
            // Moments of this round lie after this turn, which may run before, between and after the arming.
            supervisor.turn(core.now());
            end.await();
            assertThat(supervisor.turn(core.now())).as("round " + round).isLessThanOrEqualTo(earliest.get());
        }
        stop.set(true);
        start.await();
    }

    private static void armUntilStopped(
            Supervisor supervisor, AtomicLong earliest, CyclicBarrier start, CyclicBarrier end, AtomicBoolean stop) {
        try {
            while (true) {
                start.await();
                if (stop.get()) {
                    return;
                }
                for (int i = 0; i < 3; i++) {
                    long at = Duration.ofDays(300).toNanos()
                            + ThreadLocalRandom.current().nextLong(1_000_000);
                    earliest.accumulateAndGet(at, Math::min);
                    supervisor.arm(at);
                }
                end.await();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Lease acquire(Interlock client, String name) {
        try {
            return client.lock(name).acquire(LeaseTerm.renewing(Duration.ofMillis(600)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EngineConfig config() {
        return new EngineConfig(
                "",
                Simulation.STORE_TIMEOUT,
                Simulation.ATTEMPT_TIMEOUT,
                Simulation.POLL_CAP,
                Duration.ofMillis(50),
                List.of(),
                Runnable::run);
    }

    /** A store whose first renewals throw. */
    private static final class BreakingStore implements LockStore {
        private final MemoryStore delegate = new MemoryStore();
        private final AtomicInteger renewals = new AtomicInteger();
        private final int broken;

        BreakingStore(int broken) {
            this.broken = broken;
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            return delegate.acquire(claim);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            return delegate.release(claim);
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            if (renewals.incrementAndGet() <= broken) {
                throw new AssertionError("Broken on purpose");
            }
            return delegate.renew(claims);
        }

        @Override
        public CompletionStage<LockStatus> inspect(LockId id) {
            return delegate.inspect(id);
        }

        @Override
        public void onWake(Consumer<LockId> listener) {
            delegate.onWake(listener);
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
