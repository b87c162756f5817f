package dev.interlock.testkit.contract;

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
        if (elapsed.compareTo(limit.plus(stalled)) > 0) {
            throw new TooLong(what + " took " + elapsed + ": more than " + limit + ", and " + stalled
                    + " for which the machine stalled");
        }
    }

    /**
     * Measures something. If it was late, that may have been a server, whose stalls nobody sees from here: then it has
     * to be in time twice more.
     *
     * @param scenario begins with nothing that an earlier one has left
     */
    static void measure(Scenario scenario) throws Exception {
        try {
            scenario.run();
        } catch (TooLong late) {
            System.err.println("Measured again: " + late.getMessage());
            scenario.run();
            scenario.run();
        }
    }

    /** Something with a stopwatch in it. */
    interface Scenario {
        void run() throws Exception;
    }

    /** It took longer than it may. */
    private static final class TooLong extends AssertionError {
        private static final long serialVersionUID = 1;

        TooLong(String message) {
            super(message);
        }
    }

    @Override
    public void close() {
        hiccups.close();
    }
}
