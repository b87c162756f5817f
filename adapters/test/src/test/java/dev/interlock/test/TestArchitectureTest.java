package dev.interlock.test;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of every module, for this one. */
class TestArchitectureTest extends ArchitectureRules {

    TestArchitectureTest() {
        super(InterlockTest.class, Freedom.FRAMEWORK);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // An annotation names its extension, which reads it.
                Set.of("InterlockTest", "InterlockExtension"));
    }
}
