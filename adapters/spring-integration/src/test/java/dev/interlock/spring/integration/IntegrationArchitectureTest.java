package dev.interlock.spring.integration;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class IntegrationArchitectureTest extends ArchitectureRules {

    IntegrationArchitectureTest() {
        super(InterlockRegistry.class, Freedom.FRAMEWORK);
    }
}
