package dev.interlock.group;

import java.time.Duration;

/**
 * For how long a caller waits: one deadline for everything that it does.
 *
 * @param once whether it tries once and waits for nobody
 * @param deadlineNanos when its time is over, by {@link System#nanoTime()}; meaningless if it {@link #isEndless()}
 * @param isEndless whether it waits without limit
 */
record Patience(boolean once, long deadlineNanos, boolean isEndless) {

    /** One attempt, which ends when the stores have answered or their clients give up. */
    static final Patience ONCE = new Patience(true, 0, true);

    /** Without limit. */
    static final Patience ENDLESS = new Patience(false, 0, true);

    /**
     * After the deadline a store's first answer is waited for a little longer, as a single lock does, and then for the
     * hand-over between threads.
     */
    static final long GRACE_NANOS = Duration.ofMillis(35).toNanos();

    /** A wait of more than this is as good as for ever, and safe to add to a clock. */
    private static final long MOST_NANOS = Long.MAX_VALUE / 4;

    /** From now on at most this long; zero or less is one attempt. */
    static Patience of(Duration wait) {
        long nanos = nanos(wait);
        return new Patience(nanos == 0, System.nanoTime() + nanos, false);
    }

    private static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(Duration.ofNanos(MOST_NANOS)) >= 0 ? MOST_NANOS : wait.toNanos();
    }

    /** What is left of it; not negative. */
    Duration left() {
        return isEndless
                ? Duration.ofNanos(MOST_NANOS)
                : Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
