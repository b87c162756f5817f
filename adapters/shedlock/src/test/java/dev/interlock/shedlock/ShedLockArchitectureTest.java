package dev.interlock.shedlock;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of every module, for this one. */
class ShedLockArchitectureTest extends ArchitectureRules {

    ShedLockArchitectureTest() {
        super(InterlockLockProvider.class);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // A lock extends itself as its provider would.
                Set.of("InterlockLockProvider", "LeasedLock"));
    }
}
