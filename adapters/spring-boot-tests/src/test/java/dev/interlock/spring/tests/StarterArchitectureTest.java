package dev.interlock.spring.tests;

import dev.interlock.spring.LeaderOnly;
import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for the starter, which has no tests of its own. */
class StarterArchitectureTest extends ArchitectureRules {

    StarterArchitectureTest() {
        super(LeaderOnly.class, Freedom.FRAMEWORK, Freedom.LOGGING);
    }
}
