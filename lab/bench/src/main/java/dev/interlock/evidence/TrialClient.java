package dev.interlock.evidence;

import dev.interlock.testkit.process.ChildJvm;

/**
 * A process of a trial.
 *
 * @param number its number, which no other process of the trial has
 * @param place the place that it has taken, and with it its proxy
 * @param jvm the process
 */
record TrialClient(int number, int place, ChildJvm jvm) {

    /** Lets it go on with the work at hand until {@link #go}. */
    void stay() {
        jvm.send("stay");
    }

    void go() {
        jvm.send("go");
    }

    void kill() {
        jvm.kill();
    }
}
