package dev.interlock.memory;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class MemoryArchitectureTest extends ArchitectureRules {

    MemoryArchitectureTest() {
        super(MemoryStore.class);
    }
}
