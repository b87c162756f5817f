package dev.interlock.cdi;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class CdiArchitectureTest extends ArchitectureRules {

    CdiArchitectureTest() {
        super(CdiFramework.class, Freedom.FRAMEWORK);
    }
}
