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
                Set.of("DistributedLock", "Unlocking"),
                // A builder and what it builds.
                Set.of("Interlock", "InterlockBuilder"),
                // What a kind lacks.
                Set.of("LockOptions", "OptionsOfKind"));
    }

    /** Users find the facade beside what it returns: it calls the engine, which implements the latter. */
    @Override
    protected Set<Set<String>> cyclesOfPackages() {
        return Set.of(Set.of("dev.interlock", "dev.interlock.engine", "dev.interlock.spi"));
    }
}
