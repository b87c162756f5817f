package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** Elapsed time, and the share of it for which the machine did not run us. */
public final class Stopwatch implements AutoCloseable {

    private final Hiccups hiccups = new Hiccups();
    private final RunDelays delays = new RunDelays();
    private final long start = System.nanoTime();

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Fails if more time has passed than this, beside what the machine took. */
    public void assertAtMost(Duration limit, String what) {
        Duration elapsed = elapsed();
        // Twice: a call is finished by one thread and seen by another, and both have to be run.
        Duration paused = hiccups.total().multipliedBy(2);
        Duration queued = delays.ofACall();
        Duration stalled = paused.compareTo(queued) > 0 ? paused : queued;
        assertThat(elapsed)
                .as("%s (the machine stalled for %s of it)", what, stalled)
                .isLessThanOrEqualTo(limit.plus(stalled));
    }

    @Override
    public void close() {
        hiccups.close();
    }
}
