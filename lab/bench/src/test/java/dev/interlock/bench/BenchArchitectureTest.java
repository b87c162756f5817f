package dev.interlock.bench;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of every module, for this one: it measures locks of frameworks, too, and logs what a library logs. */
class BenchArchitectureTest extends ArchitectureRules {

    BenchArchitectureTest() {
        super(Bench.class, Freedom.WALL_CLOCK, Freedom.LOGGING, Freedom.FRAMEWORK);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // A fault strikes a trial, which lets it strike again and again.
                Set.of("Fault", "Trial"));
    }
}
