package dev.interlock.fence;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class FenceArchitectureTest extends ArchitectureRules {

    FenceArchitectureTest() {
        super(FenceGate.class);
    }
}
