package dev.interlock.engine;

import org.jetbrains.lincheck.datastructures.StressOptions;

/** How much Lincheck does: seconds by default, minutes with {@code interlock.effort=long}. */
public final class Lincheck {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    private Lincheck() {}

    /**
     * Has threads call the operations of this class, and checks that some order of the calls, one after the other, has
     * the same results.
     *
     * <p>In stress mode only: model checking cannot repeat an interleaving of the engine, because the hash map's
     * counters and the random numbers of the JDK take part in it.
     *
     * @param operations how many each thread calls
     * @param oneThread does the same for one thread
     */
    public static void stress(int threads, int operations, Class<?> oneThread, Class<?> test) {
        new StressOptions()
                .sequentialSpecification(oneThread)
                .iterations(LONG ? 20 : 3)
                .invocationsPerIteration(LONG ? 5_000 : 1_000)
                .threads(threads)
                .actorsPerThread(operations)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(test);
    }
}
