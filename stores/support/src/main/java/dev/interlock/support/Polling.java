package dev.interlock.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The delays between the polls of a waiting claim. A name that has been held for long is likely to stay held, so the
 * first waiter polls after an eighth of the time for which the name has been held: it is late by an eighth of that time
 * at most, and needs a handful of polls each time that doubles. The waiters behind it poll less often, in proportion to
 * their places. Immutable.
 *
 * @param firstMin the shortest delay of the first waiter
 * @param firstMax the longest delay of the first waiter
 * @param laterMin the shortest delay of any other waiter
 * @param laterMax the longest delay of any other waiter
 */
public record Polling(Duration firstMin, Duration firstMax, Duration laterMin, Duration laterMax) {

    /** The delay between the end of a lease and the poll that finds the name free: servers count in milliseconds. */
    private static final Duration AFTER_LEASE = Duration.ofMillis(1);

    private static final int PARTS = 8;

    /**
     * The delay before the next poll.
     *
     * @param ahead how many wait in front of the claim
     * @param heldMillis for how long the name has been held; negative if a server's clock was set back
     * @param leftMillis when the first lease on the name ends, from now
     * @param jitter from 0 to 1, at random: spreads the polls of many waiters
     */
    public Duration delay(int ahead, long heldMillis, long leftMillis, double jitter) {
        long part = TimeUnit.MILLISECONDS.toNanos(Math.max(0, heldMillis)) / PARTS;
        long calm = ahead == 0
                ? clamp(part, firstMin, firstMax)
                : clamp(Math.min(part, laterMax.toNanos()) * (1L + ahead), laterMin, laterMax);
        return spread(Duration.ofNanos(calm), leftMillis, jitter);
    }

    /** As {@link #delay(int, long, long, double)}, by what the claim has to wait for. */
    public Duration delay(Outlook outlook, double jitter) {
        return delay(outlook.ahead(), outlook.heldMillis(), outlook.leftMillis(), jitter);
    }

    /** A delay of about this length, a quarter shorter or longer by the jitter, that ends soon after the lease. */
    public static Duration spread(Duration calm, long leftMillis, double jitter) {
        long spread = (long) (calm.toNanos() * (0.75 + jitter / 2));
        // Compared in milliseconds: a lease may last longer than nanoseconds can count.
        return leftMillis > spread / 1_000_000
                ? Duration.ofNanos(spread)
                : min(
                        Duration.ofNanos(spread),
                        Duration.ofMillis(Math.max(0, leftMillis)).plus(AFTER_LEASE));
    }

    private static long clamp(long nanos, Duration min, Duration max) {
        return Math.max(min.toNanos(), Math.min(max.toNanos(), nanos));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
