package dev.interlock.testkit;

import java.time.Duration;
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
}
