package dev.interlock.testkit.arch;

import dev.interlock.Interlock;
import java.util.Set;

/** The rules of every module, for the core, which the test kit needs: the API, the SPI and the engine together. */
class CoreArchitectureTest extends ArchitectureRules {

    CoreArchitectureTest() {
        super(Interlock.class);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // What a store lacks is refused in its name.
                Set.of("LockStore", "Capability"),
                // run() and call() unlock by it.
                Set.of("DistributedLock", "Unlocking"));
    }

    /** The facade and the engine: LockObserver.opened names the client, and the engine calls the observers. */
    @Override
    protected Set<Set<String>> largerCycles() {
        return Set.of(Set.of(
                "Acquisition",
                "Administration",
                "Arbiter",
                "Arbiters",
                "Arbitration",
                "AsyncCaller",
                "BargingPolicy",
                "BlockedCaller",
                "ClaimFactory",
                "Conversion",
                "DeferredActions",
                "Engine",
                "EngineConfig",
                "EngineContext",
                "EngineCore",
                "EngineLatch",
                "EngineLease",
                "EngineLock",
                "EngineReadWriteLock",
                "EngineSemaphore",
                "Events",
                "HandOverTurn",
                "Interlock",
                "InterlockBuilder",
                "LeasedClaim",
                "LockObserver",
                "LockSide",
                "Observers",
                "Outage",
                "PendingRelease",
                "PendingReleases",
                "Renewals",
                "Retention",
                "RetrySchedule",
                "StoreClient",
                "ThreadHolds",
                "Timeouts",
                "Waiter",
                "WaiterQueue",
                "Watch"));
    }

    /** Users find the facade beside what it returns: it calls the engine, which implements the latter. */
    @Override
    protected Set<Set<String>> cyclesOfPackages() {
        return Set.of(Set.of("dev.interlock", "dev.interlock.engine", "dev.interlock.spi"));
    }
}
