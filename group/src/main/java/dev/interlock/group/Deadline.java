package dev.interlock.group;

import java.time.Duration;

/**
 * The end of a caller's wait: one deadline for everything that the caller does.
 *
 * @param once whether the caller makes one attempt and waits for nobody
 * @param deadlineNanos the end of the wait, by {@link System#nanoTime()}; meaningless if the wait {@link #isEndless()}
 * @param isEndless whether the caller waits without limit
 */
record Deadline(boolean once, long deadlineNanos, boolean isEndless) {

    /** One attempt, which ends when the stores have answered or their clients give up. */
    static final Deadline ONCE = new Deadline(true, 0, true);

    /** No limit. */
    static final Deadline ENDLESS = new Deadline(false, 0, true);

    /**
     * The time after the deadline in which a store's first answer still counts, as with a single lock, and the threads
     * pass it on.
     */
    static final long GRACE_NANOS = Duration.ofMillis(35).toNanos();

    /** A longer wait counts as endless. This much can be added to a clock without overflow. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 4;

    /** The deadline of a wait that begins now; zero or less means one attempt. */
    static Deadline after(Duration wait) {
        long nanos = nanos(wait);
        return new Deadline(nanos == 0, System.nanoTime() + nanos, false);
    }

    private static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(Duration.ofNanos(MAX_NANOS)) >= 0 ? MAX_NANOS : wait.toNanos();
    }

    /** The time that is left; not negative. */
    Duration left() {
        return isEndless
                ? Duration.ofNanos(MAX_NANOS)
                : Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
