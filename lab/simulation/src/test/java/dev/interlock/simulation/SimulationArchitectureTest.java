package dev.interlock.simulation;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of every module, for this one: it takes a seed of the time of day, and hears what is logged. */
class SimulationArchitectureTest extends ArchitectureRules {

    SimulationArchitectureTest() {
        super(World.class, Freedom.ENGINE, Freedom.WALL_CLOCK, Freedom.LOGGING);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // Processes and callers tell the world what happens to them.
                Set.of("World", "SimulatedProcess", "Caller"));
    }
}
