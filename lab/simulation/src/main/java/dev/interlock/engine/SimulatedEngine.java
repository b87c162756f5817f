package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;

/**
 * The engine of one client without a thread: whoever owns the time calls {@link #sweepIfDue} when {@link #wakeNanos}
 * says so, and runs what the engine gives to its executor. Not thread-safe.
 */
@NullMarked
public final class SimulatedEngine {

    /** The supervisor's thread, which never runs. */
    private static final Thread NO_THREAD = new Thread() {
        @Override
        public void start() {
            // See above.
        }
    };

    private final EngineCore core;
    private final LongSupplier clock;
    private final ThreadHolds holds = new ThreadHolds();
    private final ThreadHolds readHolds = new ThreadHolds();

    /** An engine over this store; its clock is in nanoseconds, and positive. */
    public SimulatedEngine(LockStore store, EngineConfig config, LongSupplier clock, RandomGenerator random) {
        this.clock = clock;
        this.core = new EngineCore(store, config, clock, watch -> NO_THREAD, random);
    }

    /** A lock of this client. */
    public DistributedLock lock(LockId id, LockOptions options) {
        return new EngineLock(core, holds, id, options);
    }

    /** A read/write lock of this client. */
    public DistributedReadWriteLock readWriteLock(LockId id, LockOptions options) {
        return new EngineReadWriteLock(core, readHolds, holds, id, options);
    }

    /** A semaphore of this client. */
    public DistributedSemaphore semaphore(LockId id, int capacity, LockOptions options) {
        return new EngineSemaphore(core, id, capacity, options);
    }

    /** When the supervisor wants to run, by the client's clock; {@link Long#MAX_VALUE} if nothing is due. */
    public long wakeNanos() {
        // Before every moment: so it does nothing but say when.
        return byClock(core.context().supervisor().sweepIfDue(Long.MIN_VALUE));
    }

    /** One turn of the supervisor, if it is due. */
    public void sweepIfDue() {
        long unused = core.context().supervisor().sweepIfDue(core.context().now());
    }

    /** Whether nothing is left in this client: no name, and no claim on its way out. */
    public boolean isAtRest() {
        return core.arbiters().count() == 0
                && core.context().releases().tick(core.context().now()) == EngineClock.NEVER;
    }

    private long byClock(long engineNanos) {
        return engineNanos == EngineClock.NEVER
                ? engineNanos
                : clock.getAsLong() + (engineNanos - core.context().now());
    }
}
