package dev.interlock.mongodb;

import java.time.Duration;

/**
 * When a waiter asks again. A hold that has lasted for long is likely to last on, so the one whose turn is next asks
 * after an eighth of the hold's age; who stands further back asks less often. Polls read, and so hinder nobody; they
 * write only to stay listed.
 */
final class Polling {

    private static final long NEXT_FLOOR_MICROS = 2_000;
    private static final long NEXT_CAP_MICROS = 40_000;
    private static final long LATER_FLOOR_MICROS = 5_000;
    private static final long LATER_CAP_MICROS = 60_000;

    /** Nobody else takes the turn of one that is in order: it may be late for it. */
    private static final long PER_PLACE_MICROS = 10_000;

    private static final long IN_ORDER_CAP_MICROS = 250_000;

    /** How long after the end of the holder's lease it is worth asking: the clock has steps of 1 ms. */
    private static final long AFTER_LEASE_MICROS = 1_000;

    /** How often one asks that hears of its turn: it stays listed so, and what is not told costs it no more. */
    private static final long UNHEARD_MILLIS = 800;

    private Polling() {}

    /** The pause of one that hears of its turn: only the end of a lease is told by nobody. */
    static Duration unheard(long leftMillis, double jitter) {
        long calm = (long) (UNHEARD_MILLIS * 1_000 * (0.75 + jitter / 4));
        long left = clamp(leftMillis, 0, UNHEARD_MILLIS) * 1_000 + AFTER_LEASE_MICROS;
        return Duration.ofNanos(Math.min(calm, left) * 1_000);
    }

    /**
     * The pause before the next poll.
     *
     * @param ahead how many wait in front
     * @param inOrder whether they all go first
     * @param ageMillis for how long the name has been held
     * @param leftMillis when its lease ends at the latest
     * @param jitter from 0 to 1: spreads the polls of many by a quarter up and down
     */
    static Duration retryAfter(int ahead, boolean inOrder, long ageMillis, long leftMillis, double jitter) {
        long calm = calmMicros(ahead, inOrder, clamp(ageMillis, 0, LATER_CAP_MICROS) * 1_000 / 8);
        long spread = (long) (calm * (0.75 + jitter / 2));
        long left = clamp(leftMillis, 0, IN_ORDER_CAP_MICROS) * 1_000;
        return Duration.ofNanos(Math.min(spread, left + AFTER_LEASE_MICROS) * 1_000);
    }

    private static long calmMicros(int ahead, boolean inOrder, long eighthMicros) {
        if (ahead == 0) {
            return clamp(eighthMicros, NEXT_FLOOR_MICROS, NEXT_CAP_MICROS);
        } else if (inOrder) {
            return Math.min(ahead * PER_PLACE_MICROS, IN_ORDER_CAP_MICROS);
        }
        return clamp(eighthMicros * (1 + ahead), LATER_FLOOR_MICROS, LATER_CAP_MICROS);
    }

    private static long clamp(long value, long low, long high) {
        return Math.max(low, Math.min(high, value));
    }
}
