package dev.interlock.testkit.arch;

import dev.interlock.testkit.Patience;
import java.util.Set;

/** The rules of every module, for the test kit itself. */
class TestkitArchitectureTest extends ArchitectureRules {

    TestkitArchitectureTest() {
        super(Patience.class, Freedom.WALL_CLOCK, Freedom.LOGGING);
    }

    /** A part of a contract or of a server that has a file of its own, and what it is a part of. */
    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                Set.of("RevocationContract", "LockFixture"),
                Set.of("FormTable", "Form"),
                Set.of("ElectionFaultContract", "ElectionRun"),
                Set.of("WakeWalkContract", "WakePoint"),
                Set.of("RedisBinary", "BundledBinary"),
                Set.of("ZooKeeperServer", "ZooKeeperSettings"),
                Set.of("FaultProxy", "Faults", "ProxyLink"));
    }
}
