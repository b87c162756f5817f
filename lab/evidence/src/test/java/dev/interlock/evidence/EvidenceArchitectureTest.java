package dev.interlock.evidence;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

/** The rules of every module, for this one. */
class EvidenceArchitectureTest extends ArchitectureRules {

    EvidenceArchitectureTest() {
        super(Trial.class, Freedom.WALL_CLOCK, Freedom.LOGGING, Freedom.FRAMEWORK);
    }

    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(
                // A fault strikes a trial, which lets it strike again and again.
                Set.of("Fault", "Trial"));
    }
}
