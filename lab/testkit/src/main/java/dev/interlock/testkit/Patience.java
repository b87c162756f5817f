package dev.interlock.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * How long tests wait for an outcome that must come. The limit only guards against hanging, so it is far longer than
 * anything takes on a slow and busy machine: no test fails because it is slow. It is the default of
 * {@link Awaitility#await()} in every test JVM.
 */
public final class Patience {

    /** The limit of all tests, except negative controls. */
    public static final Duration FULL = Duration.ofMinutes(5);

    private static volatile Duration limit = FULL;

    private Patience() {}

    /** The longest time to wait for an outcome. */
    public static Duration limit() {
        return limit;
    }

    /** {@link #limit()}, in whole seconds. */
    public static long seconds() {
        return limit.toSeconds();
    }

    /**
     * Replaces the limit for this JVM: a negative control waits in vain for what its bug prevents, and sets
     * {@link #FULL} again afterwards.
     */
    public static void limit(Duration newLimit) {
        limit = newLimit;
        Awaitility.setDefaultTimeout(newLimit);
    }

    /**
     * The result of an attempt that ends before a time of its own does, such as a short lease. A machine may stand
     * still for that long: then the attempt is repeated.
     */
    public static <T> T inTime(Callable<Optional<T>> attempt) throws Exception {
        long start = System.nanoTime();
        while (System.nanoTime() - start < limit.toNanos()) {
            Optional<T> result = attempt.call();
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw new AssertionError("The time of the attempt was over too early each time");
    }
}
