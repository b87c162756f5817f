package dev.interlock.micronaut;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class MicronautArchitectureTest extends ArchitectureRules {

    MicronautArchitectureTest() {
        super(LockedMapper.class, Freedom.FRAMEWORK, Freedom.LOGGING);
    }
}
