package dev.interlock.reactor;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class ReactorArchitectureTest extends ArchitectureRules {

    ReactorArchitectureTest() {
        super(ReactiveLocks.class);
    }
}
