package dev.interlock.mongodb;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of the house for this module. */
class MongoArchitectureTest extends ArchitectureRules {

    MongoArchitectureTest() {
        super(MongoStore.class, false);
    }

    /** Parts of the store that call each other back. */
    @Override
    protected Set<String> allowedInCycles() {
        return Set.of(
                "Name",
                "LatchName",
                "HeldName",
                "MongoStore",
                "StoreUri",
                "Workers",
                "Wakes",
                "Failures",
                "Changes",
                "Acquire");
    }
}
