package dev.interlock.deadlock;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class DeadlockArchitectureTest extends ArchitectureRules {

    DeadlockArchitectureTest() {
        super(DeadlockDetector.class);
    }
}
