package dev.interlock.barrier;

import java.time.Duration;

/**
 * Until when a call waits, by the monotonic clock.
 *
 * @param isSet whether there is a limit at all
 * @param nanos when the time is over
 */
record Limit(boolean isSet, long nanos) {

    static final Limit NONE = new Limit(false, 0);

    /** Longer than this is for ever: a sum of nanoseconds must not overflow. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    static Limit in(Duration wait) {
        return wait.compareTo(FOR_EVER) > 0
                ? NONE
                : new Limit(true, System.nanoTime() + Math.max(0, wait.isNegative() ? 0 : wait.toNanos()));
    }

    boolean isOver() {
        return isSet && nanos - System.nanoTime() <= 0;
    }

    /** What is left of the time; not negative. */
    Duration left() {
        return left(FOR_EVER);
    }

    /** What is left of the time, but no more than {@code most}; not negative. */
    Duration left(Duration most) {
        if (!isSet) {
            return most;
        }
        Duration left = Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
        return left.compareTo(most) < 0 ? left : most;
    }
}
