package dev.interlock.micrometer;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of every module, for this one. */
class MicrometerArchitectureTest extends ArchitectureRules {

    MicrometerArchitectureTest() {
        super(InterlockMetrics.class);
    }
}
