package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one thread that watches the time. Invariants I4, I6, I9. */
@Tag("scaled")
class SupervisorTest {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    private static final int ARMING = 3;

    /**
     * Renewal throws an Error, as a store that is broken in a new way would: the thread stays, and the lease is renewed
     * by the next try.
     */
    @Test
    void anErrorInASweepDoesNotEndIt() {
        BreakingStore store = new BreakingStore(5);
        try (Interlock client = Interlock.builder(store).build()) {
            Lease lease = client.lock("n").tryAcquire().orElseThrow();
            assertThat(lease.isValid()).isTrue();
            Lease renewed = acquire(client, "renewed");
            // Is renewed at once, and until it works.
            renewed.onRevocationRequested(() -> {});
            await().until(() -> store.renewals.get() > 5);
            assertThat(renewed.isValid()).isTrue();
        }
    }

    /** A caller who stayed in the queue would be given a lease that nobody knows of. */
    @Test
    void aThreadThatCannotBeStartedLeavesNobodyQueued() {
        AtomicInteger missing = new AtomicInteger(1);
        EngineConfig patient = config(Patience.AMPLE, Patience.AMPLE);
        EngineCore core = new EngineCore(new MemoryStore(), patient, System::nanoTime, startingAfter(missing));
        EngineLock lock = new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults());

        assertThatThrownBy(lock::tryAcquire).isInstanceOf(OutOfMemoryError.class);

        assertThat(core.arbiters().count()).isZero();
        try (Lease lease = lock.tryAcquire().orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
        }
        core.context().supervisor().stop();
    }

    @Test
    void aThreadThatCouldNotBeStartedIsStartedByTheNextToArm() {
        AtomicInteger missing = new AtomicInteger(1);
        EngineCore core = new EngineCore(new MemoryStore(), config(), () -> 1, watch -> new Thread(() -> {}));
        Supervisor supervisor = new Supervisor(core.context().clock(), core, startingAfter(missing));

        assertThatThrownBy(() -> supervisor.arm(100)).isInstanceOf(OutOfMemoryError.class);
        supervisor.arm(200);

        assertThat(missing).as("-1: there was one more, which has started").hasValue(-1);
        supervisor.stop();
    }

    /** The first so many do not start, as on a machine that has no thread to give. */
    private static ThreadFactory startingAfter(AtomicInteger missing) {
        return watch -> {
            Thread thread = new Thread(watch) {
                @Override
                public synchronized void start() {
                    if (missing.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                }
            };
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Whatever a sweep throws (here the clock does, in the middle of it), the turn ends as usual and the next one comes
     * soon.
     */
    @Test
    void aSweepThatThrowsIsFollowedByAnother() {
        ManualClock clock = new ManualClock();
        AtomicInteger looksUntilItThrows = new AtomicInteger(Integer.MAX_VALUE);
        LongSupplier brittle = () -> {
            if (looksUntilItThrows.getAndDecrement() == 0) {
                throw new AssertionError("thrown on purpose");
            }
            return clock.getAsLong();
        };
        EngineCore core = new EngineCore(new MemoryStore(clock), config(), brittle, watch -> new Thread(() -> {}));
        EngineLock lock = new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults());
        lock.lock();
        clock.advance(Duration.ofSeconds(1));
        long now = core.context().now();
        looksUntilItThrows.set(0);
        long next = core.context().supervisor().sweepIfDue(now);
        assertThat(looksUntilItThrows.get()).as("it has thrown").isNegative();
        assertThat(next - now).isBetween(1L, Duration.ofMillis(25).toNanos());
    }

    /** However early something is due: a sweep costs time, and the more so the more there is to look at. */
    @Test
    void betweenTwoSweeps_isAPause_thatGrowsWithWhatThereIsToWatch() {
        assertThat(pauseAfterASweepOf(0)).isEqualTo(Duration.ofMillis(1));
        assertThat(pauseAfterASweepOf(2_000)).isEqualTo(Duration.ofMillis(2));
        assertThat(pauseAfterASweepOf(1_000_000)).isEqualTo(Duration.ofMillis(20));
    }

    private static Duration pauseAfterASweepOf(int arbiters) {
        List<Long> sweeps = new ArrayList<>();
        Supervisor supervisor = supervisor(arbiters, now -> {
            sweeps.add(now);
            return now;
        });
        supervisor.arm(5);
        long next = supervisor.sweepIfDue(5);
        assertThat(supervisor.sweepIfDue(next - 1)).as("too early").isEqualTo(next);
        assertThat(sweeps).containsExactly(5L);
        supervisor.sweepIfDue(next);
        assertThat(sweeps).containsExactly(5L, next);
        return Duration.ofNanos(next - 5);
    }

    @Test
    void aSweeperThatThrowsIsAskedAgainSoon() {
        Supervisor supervisor = supervisor(0, now -> {
            throw new AssertionError("thrown on purpose");
        });
        supervisor.arm(5);
        assertThat(supervisor.sweepIfDue(5)).isEqualTo(5 + Duration.ofMillis(20).toNanos());
    }

    private static Supervisor supervisor(int arbiters, LongUnaryOperator sweep) {
        return supervisor(arbiters, sweep, new EngineClock(() -> 1), watch -> new Thread(() -> {}));
    }

    private static Supervisor supervisor(
            int arbiters, LongUnaryOperator sweep, EngineClock clock, ThreadFactory threads) {
        Supervisor.Sweeper sweeper = new Supervisor.Sweeper() {
            @Override
            public long sweep(long now) {
                return sweep.applyAsLong(now);
            }

            @Override
            public int size() {
                return arbiters;
            }
        };
        return new Supervisor(clock, sweeper, threads);
    }

    @Test
    void anEarlierMoment_wakesTheThread() {
        AtomicInteger sweeps = new AtomicInteger();
        EngineClock clock = new EngineClock(System::nanoTime);
        Supervisor supervisor = supervisor(
                0,
                now -> {
                    sweeps.incrementAndGet();
                    return EngineClock.NEVER;
                },
                clock,
                Supervisor::newThread);
        supervisor.arm(clock.now());
        await().until(() -> sweeps.get() == 1);
        supervisor.arm(clock.now());
        await().until(() -> sweeps.get() == 2);
        supervisor.stop();
    }

    /** What it does at the end of a program keeps no JVM alive. */
    @Test
    void itsThread_isADaemon() {
        assertThat(Supervisor.newThread(() -> {}).isDaemon()).isTrue();
    }

    @Test
    void stop_endsTheThread_andKeepsTheInterrupt() {
        CountDownLatch lastWords = new CountDownLatch(1);
        List<Thread> made = new ArrayList<>();
        EngineCore core = new EngineCore(new MemoryStore(), config(), System::nanoTime, watch -> {
            made.add(Supervisor.newThread(() -> {
                watch.run();
                awaitOrFail(lastWords);
            }));
            return made.get(0);
        });
        Supervisor supervisor = core.context().supervisor();
        supervisor.begin();
        await().until(() -> made.get(0).getState() == Thread.State.TIMED_WAITING);
        Thread.currentThread().interrupt();
        supervisor.stop();
        assertThat(Thread.interrupted()).as("while the thread has not ended").isTrue();
        lastWords.countDown();
        await().until(() -> !made.get(0).isAlive());
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A sweep takes as long as nine of the ten seconds of a lease (here the clock jumps, in the midst of it): the
     * holder is told a second later, not ten.
     */
    @Test
    @Tag("timing")
    void aLongSweepDelaysNothingThatIsDueAfterIt() throws InterruptedException {
        AtomicLong jumped = new AtomicLong();
        AtomicBoolean jumpsInSweep = new AtomicBoolean();
        LongSupplier clock = () -> {
            if (jumpsInSweep.get() && isInSweep() && jumpsInSweep.getAndSet(false)) {
                jumped.set(Duration.ofSeconds(9).toNanos());
            }
            return System.nanoTime() + jumped.get();
        };
        EngineCore core = new EngineCore(new MemoryStore(), config(), clock, Supervisor::newThread);
        EngineLock lock = new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults());
        Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofSeconds(10)));
        AtomicReference<LossCause> told = new AtomicReference<>();
        lease.onLost(told::set);

        jumpsInSweep.set(true);
        core.context()
                .supervisor()
                .arm(core.context().now() + Duration.ofMillis(10).toNanos());

        await().atMost(Duration.ofSeconds(5)).until(() -> told.get() != null);
        assertThat(told).hasValue(LossCause.EXPIRED);
        assertThat(jumped.get()).as("it has jumped").isPositive();
        core.context().supervisor().stop();
    }

    private static boolean isInSweep() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("sweep")));
    }

    /** Many threads arm moments at once, while a turn is taken: the next turn knows of the earliest of them. */
    @Test
    void noEarlierMomentIsLostWhenManyThreadsArm() throws Exception {
        int rounds = LONG ? 200_000 : 10_000;
        ManualClock clock = new ManualClock();
        EngineCore core = new EngineCore(new MemoryStore(clock), config(), clock, watch -> new Thread(() -> {}));
        Supervisor supervisor = core.context().supervisor();
        AtomicLong base = new AtomicLong();
        AtomicLong earliest = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(ARMING + 1);
        CyclicBarrier end = new CyclicBarrier(ARMING + 1);
        for (int t = 0; t < ARMING; t++) {
            Thread thread = new Thread(() -> armEachRound(rounds, supervisor, base, earliest, start, end));
            thread.setDaemon(true);
            thread.start();
        }
        for (int round = 0; round < rounds; round++) {
            // All moments of the round before are due by now: one turn forgets them.
            clock.advance(Duration.ofHours(2));
            supervisor.sweepIfDue(core.context().now());
            clock.advance(Duration.ofSeconds(1));
            base.set(core.context().now() + Duration.ofHours(1).toNanos());
            earliest.set(Long.MAX_VALUE);
            start.await();
            supervisor.sweepIfDue(core.context().now());
            end.await();
            assertThat(supervisor.sweepIfDue(core.context().now()))
                    .as("round " + round)
                    .isEqualTo(earliest.get());
        }
    }

    private static void armEachRound(
            int rounds,
            Supervisor supervisor,
            AtomicLong base,
            AtomicLong earliest,
            CyclicBarrier start,
            CyclicBarrier end) {
        try {
            for (int round = 0; round < rounds; round++) {
                start.await();
                // Ever earlier, so that each has to be noted; the last of each thread decide.
                for (int left = 20; left >= 0; left--) {
                    long at = base.get()
                            + left * 1_000L
                            + ThreadLocalRandom.current().nextLong(1_000);
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
            return client.lock(name).acquire(LeaseTerm.renewing(Duration.ofMinutes(1)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EngineConfig config() {
        return config(Simulation.STORE_TIMEOUT, Simulation.ATTEMPT_TIMEOUT);
    }

    private static EngineConfig config(Duration storeTimeout, Duration attemptTimeout) {
        return new EngineConfig(
                "", storeTimeout, attemptTimeout, Simulation.POLL_CAP, Duration.ofMillis(50), List.of(), Runnable::run);
    }

    /** A store whose first renewals throw. */
    private static final class BreakingStore extends ForwardingStore {
        private final AtomicInteger renewals = new AtomicInteger();
        private final int broken;

        BreakingStore(int broken) {
            super(new MemoryStore());
            this.broken = broken;
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            if (renewals.incrementAndGet() <= broken) {
                throw new AssertionError("Broken on purpose");
            }
            return delegate.renew(claims);
        }
    }
}
