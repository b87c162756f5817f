package dev.interlock.testkit.process;

import java.time.Duration;

/**
 * What code asks for the time in a JVM with {@link ClockAgent}, instead of the JDK. It has the names and the signatures
 * of the methods in whose place it is called.
 */
public final class WrongClock {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    private static volatile long shiftMillis;

    private WrongClock() {}

    /**
     * From now on it is later by this than it is; earlier if negative. Public, since the class is not loaded by the
     * agent's own loader.
     */
    public static void shift(Duration shift) {
        shiftMillis = shift.toMillis();
    }

    /** As {@link System#currentTimeMillis()}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + shiftMillis;
    }

    /** What {@code java.time} asks the JVM for: the nanoseconds since so many seconds after 1970. */
    public static long getNanoTimeAdjustment(long seconds) {
        return (currentTimeMillis() - seconds * MILLIS_PER_SECOND) * NANOS_PER_MILLI;
    }
}
