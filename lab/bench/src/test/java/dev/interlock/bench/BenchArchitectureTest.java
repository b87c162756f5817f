package dev.interlock.bench;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one: it measures locks of frameworks, too. */
class BenchArchitectureTest extends ArchitectureRules {

    BenchArchitectureTest() {
        super(Bench.class, Freedom.WALL_CLOCK, Freedom.FRAMEWORK);
    }
}
