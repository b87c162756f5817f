package dev.interlock.group;

import java.time.Duration;

/**
 * The end of a caller's wait: one deadline for everything that the caller does.
 *
 * @param once whether the caller makes one attempt and waits for nobody
 * @param deadlineNanos the end of the wait, by {@link System#nanoTime()}; meaningless if there is none
 * @param isEndless whether the caller waits without limit
 * @param isShort whether the caller has less time than {@link #PATIENT}
 */
record Deadline(boolean once, long deadlineNanos, boolean isEndless, boolean isShort) {

    /** One attempt, which ends when the stores have answered or their clients give up. */
    static final Deadline ONCE = new Deadline(true, 0, false, true);

    /** No limit. */
    static final Deadline ENDLESS = new Deadline(false, 0, true, false);

    /**
     * The shortest wait of a caller that requests all members at once. In this time another caller, which it keeps from
     * a member in vain, gets its refusal and releases what it holds: each takes a store two seconds at most, by
     * default.
     */
    static final Duration PATIENT = Duration.ofSeconds(5);

    /** How long after its deadline a caller that is refused waits until its members are released. */
    static final long GRACE_NANOS = Duration.ofMillis(35).toNanos();

    /** A longer wait counts as endless. This much can be added to a clock without overflow. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 4;

    /** The deadline of a wait that begins now; zero or less means one attempt. */
    static Deadline after(Duration wait) {
        long nanos = nanos(wait);
        return nanos == 0 ? ONCE : new Deadline(false, System.nanoTime() + nanos, false, wait.compareTo(PATIENT) < 0);
    }

    private static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(Duration.ofNanos(MAX_NANOS)) >= 0 ? MAX_NANOS : wait.toNanos();
    }

    /** The time that is left; not negative. */
    Duration left() {
        if (once) {
            return Duration.ZERO;
        }
        return isEndless
                ? Duration.ofNanos(MAX_NANOS)
                : Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
