package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.List;

/**
 * A client in which no time passes: no supervisor, no poll, no time-out. Whoever waits in it goes on because somebody
 * tells it to, or never: a lost wake or a forgotten waiter shows as a hang.
 */
public final class StillEngine {

    private static final Duration LONG = Duration.ofDays(1);

    private final EngineCore core;
    private final ThreadHolds holds = new ThreadHolds();
    private final ThreadHolds readHolds = new ThreadHolds();

    StillEngine(LockStore store) {
        EngineConfig config = new EngineConfig("", LONG, LONG, LONG, Duration.ZERO, List.of(), Runnable::run);
        core = new EngineCore(store, config, () -> 1, NeverStarted::new);
    }

    public StillEngine() {
        this(new MemoryStore(() -> 1));
    }

    EngineCore core() {
        return core;
    }

    public DistributedLock lock(LockOptions options) {
        return lock(LockId.lock("n"), options);
    }

    public DistributedLock lock(LockId id, LockOptions options) {
        return new EngineLock(core, holds, id, options);
    }

    DistributedReadWriteLock readWriteLock(LockOptions options) {
        return new EngineReadWriteLock(core, readHolds, holds, new LockId("n", LockKind.READ_WRITE), options);
    }

    /** A supervisor's thread that never looks: time stands still, there is nothing to watch. */
    static final class NeverStarted extends Thread {
        NeverStarted(Runnable watch) {
            super(watch);
        }

        @Override
        public void start() {
            // See above.
        }
    }
}
