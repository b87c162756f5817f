package dev.interlock.testkit.arch;

import dev.interlock.barrier.DistributedBarrier;
import java.util.Set;

/** The rules of every module, for elections and barriers, which the test kit needs. */
class RecipesArchitectureTest extends ArchitectureRules {

    RecipesArchitectureTest() {
        super(DistributedBarrier.class);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // A candidacy leaves the client's elections, which end it; its role leads by it.
                Set.of("ClientElections", "LockCandidacy", "LeaderRole"));
    }
}
