package dev.interlock.support;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class SupportArchitectureTest extends ArchitectureRules {

    SupportArchitectureTest() {
        super(StoreUri.class);
    }
}
