package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockAdministration;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An engine on a manual clock, over a real in-process store on the same clock, in one thread: callers are asynchronous,
 * callbacks run inline, and the supervisor's turns are taken here, at exactly the moments for which it was armed.
 */
final class Simulation {

    static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(200);
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(3);
    static final Duration POLL_CAP = Duration.ofSeconds(1);

    /**
     * How late a turn may be, a little more than the supervisor's pause after a sweep: a poll, whose moment is random,
     * may be the last thing before it.
     */
    static final Duration LATE = Duration.ofMillis(2);

    private static final Duration DAY = Duration.ofDays(1);

    final ManualClock clock;
    final MemoryStore memory;
    final TransitStore store;
    final EngineCore core;
    private final ThreadHolds holds = new ThreadHolds();
    private final ThreadHolds readHolds = new ThreadHolds();

    private Simulation(
            ManualClock clock,
            MemoryStore memory,
            Duration storeTimeout,
            Duration attemptTimeout,
            LockObserver... observers) {
        this.clock = clock;
        this.memory = memory;
        this.store = new TransitStore(memory);
        EngineConfig config = new EngineConfig(
                "simulation",
                storeTimeout,
                attemptTimeout,
                POLL_CAP,
                Duration.ofMillis(50),
                List.of(observers),
                Runnable::run);
        this.core = new EngineCore(store, config, clock, watch -> new Thread(() -> {}));
    }

    static Simulation start(LockObserver... observers) {
        ManualClock clock = new ManualClock();
        return new Simulation(clock, new MemoryStore(clock), STORE_TIMEOUT, ATTEMPT_TIMEOUT, observers);
    }

    /**
     * One whose callers wait for an answer for as long as it takes: for tests with threads, for which real time passes.
     */
    static Simulation patient() {
        ManualClock clock = new ManualClock();
        return new Simulation(clock, new MemoryStore(clock), DAY, DAY);
    }

    /** One whose attempts may take as long as the store may be silent. */
    static Simulation unhurried() {
        ManualClock clock = new ManualClock();
        return new Simulation(clock, new MemoryStore(clock), STORE_TIMEOUT, DAY);
    }

    /**
     * Another client of the same store, on the same clock. Advance time with {@link #advance(Duration, Simulation...)}.
     */
    Simulation neighbour() {
        return new Simulation(clock, memory.session(), STORE_TIMEOUT, ATTEMPT_TIMEOUT);
    }

    DistributedLock lock(String name) {
        return lock(name, LockOptions.defaults());
    }

    DistributedLock lock(String name, LockOptions options) {
        return new EngineLock(core, holds, LockId.lock(name), options);
    }

    LockAdministration administration() {
        return new Administration(core);
    }

    DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return new EngineReadWriteLock(core, readHolds, holds, readWriteId(name), options);
    }

    DistributedSemaphore semaphore(String name, int capacity, LockOptions options) {
        return new EngineSemaphore(core, new LockId(name, LockKind.SEMAPHORE), capacity, options);
    }

    LockId readWriteId(String name) {
        return new LockId(name, LockKind.READ_WRITE);
    }

    /** What a thread does that holds the write lock, and takes the read lock besides. */
    CompletableFuture<Lease> acquireBeside(String name, Lease writer, LeaseTerm term) {
        Request request =
                new Request(readWriteId(name), Mode.shared(), LockOptions.defaults(), term, (EngineLease) writer);
        return new Acquisition(core, request).async();
    }

    CompletableFuture<Lease> acquire(String name) {
        return lock(name).acquireAsync().toCompletableFuture();
    }

    CompletableFuture<Lease> acquire(String name, LeaseTerm term) {
        return lock(name).acquireAsync(term).toCompletableFuture();
    }

    CompletableFuture<Optional<Lease>> tryAcquire(String name, Duration wait) {
        return lock(name).tryAcquireAsync(wait).toCompletableFuture();
    }

    LockStatus inspect(String name) {
        return memory.inspect(LockId.lock(name)).toCompletableFuture().join();
    }

    /** Lets time pass for this client and its neighbours. */
    void advance(Duration time, Simulation... neighbours) {
        long target = clock.getAsLong() + time.toNanos();
        while (true) {
            long next = turn();
            for (Simulation neighbour : neighbours) {
                next = Math.min(next, neighbour.turn());
            }
            if (next > target) {
                break;
            }
            advanceTo(next);
        }
        advanceTo(target);
    }

    /** A clock that jumps when it is read may be there already. */
    private void advanceTo(long moment) {
        clock.advanceNanos(Math.max(0, moment - clock.getAsLong()));
    }

    /** How long the supervisor sleeps after a turn that it takes now. */
    Duration pause() {
        return Duration.ofNanos(turn() - clock.getAsLong());
    }

    /** One turn of the supervisor; returns the moment of the next by the clock. */
    private long turn() {
        long now = core.context().now();
        long wakeAt = core.context().supervisor().sweepIfDue(now);
        return wakeAt == EngineClock.NEVER ? wakeAt : clock.getAsLong() + (wakeAt - now);
    }

    /** Whether nothing is left in this client: no name, and no claim on its way out. */
    boolean isAtRest() {
        return core.arbiters().count() == 0
                && core.context().releases().tick(core.context().now()) == EngineClock.NEVER;
    }
}
