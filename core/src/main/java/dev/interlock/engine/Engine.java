package dev.interlock.engine;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.LockAdministration;
import dev.interlock.LockOptions;
import dev.interlock.spi.Capability;
import dev.interlock.spi.ClientClock;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import java.security.SecureRandom;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/** The entry point of the engine: all that the public API uses of it. Thread-safe. */
public final class Engine {

    private final EngineCore core;
    private final ThreadHolds holds = new ThreadHolds();
    private final ThreadHolds readHolds = new ThreadHolds();

    private Engine(EngineCore core) {
        this.core = core;
    }

    /** An engine over this store, in which all names begin with the prefix. No I/O, no thread, until it is used. */
    public static Engine start(LockStore store, String namePrefix, EngineConfig config) {
        return new Engine(new EngineCore(PrefixedStore.of(store, namePrefix), config, System::nanoTime));
    }

    /** The same by this clock. Its thread begins at once, so that whoever moves the clock knows whom to wait for. */
    public static Engine start(LockStore store, String namePrefix, EngineConfig config, ClientClock clock) {
        EngineCore core = new EngineCore(
                PrefixedStore.of(store, namePrefix),
                config,
                new EngineClock(clock),
                Supervisor::newThread,
                new SecureRandom());
        core.context().supervisor().begin();
        return new Engine(core);
    }

    /** What the owner ids of its claims begin with. */
    public String clientId() {
        return core.context().claims().clientId();
    }

    /** See {@link dev.interlock.Interlock#capabilities}. */
    public Set<Capability> capabilities() {
        return core.context().store().capabilities();
    }

    /** A lock: a view, without state of its own. */
    public DistributedLock lock(LockId id, LockOptions options) {
        return new EngineLock(core, holds, id, options);
    }

    /** A read/write lock: a view, without state of its own. */
    public DistributedReadWriteLock readWriteLock(LockId id, LockOptions options) {
        return new EngineReadWriteLock(core, readHolds, holds, id, options);
    }

    /** A semaphore: a view, without state of its own. */
    public DistributedSemaphore semaphore(LockId id, int capacity, LockOptions options) {
        return new EngineSemaphore(core, id, capacity, options);
    }

    /** A latch: a view, without state of its own. */
    public DistributedLatch latch(LockId id) {
        return new EngineLatch(core, id);
    }

    /** Tells the observers that the client is open. What one throws, this throws, and the others are not told. */
    public void opened() {
        core.context().observers().opened(clientId(), capabilities());
    }

    /** Tells the observers that were told that the client is open that it is closed. */
    public void closed() {
        core.context().observers().closed();
    }

    /**
     * The operations of an administrator: a view, without state of its own.
     *
     * @param ids checks the name of a lock of a kind
     */
    public LockAdministration administration(BiFunction<String, LockKind, LockId> ids) {
        return new Administration(core, ids);
    }

    /**
     * See {@link dev.interlock.Interlock#close()}.
     *
     * @param haveEnded whether what else belongs to the client, and is waited for as long as the leases, has ended
     */
    public void close(BooleanSupplier haveEnded) {
        core.close(haveEnded);
    }
}
