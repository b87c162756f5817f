package dev.interlock.jdbc.claims;

import java.time.Duration;

/**
 * When a waiter asks again. A hold that has lasted for long is likely to last on, so the one whose turn is next asks
 * after an eighth of the hold's age: it is late by an eighth of the hold, at most by {@value #NEXT_CAP_MICROS} µs, and
 * costs a handful of reads for each doubling. Who stands further back asks less often. Polls read, and so hinder
 * nobody; they write only to stay listed.
 */
final class Polling {

    private static final long NEXT_FLOOR_MICROS = 1_000;
    private static final long NEXT_CAP_MICROS = 25_000;
    private static final long LATER_FLOOR_MICROS = 4_000;
    private static final long LATER_CAP_MICROS = 50_000;

    /** How long after the end of the holder's lease it is worth asking: the clock has steps of 1 ms. */
    private static final long AFTER_LEASE_MICROS = 1_000;

    private Polling() {}

    /**
     * The pause before the next poll.
     *
     * @param jitter from 0 to 1: spreads the polls of many by a quarter up and down
     */
    static Duration retryAfter(Look look, double jitter) {
        long ageMicros = Math.max(0, look.ageMs()) * 1_000;
        long calm = look.ahead() == 0
                ? clamp(ageMicros / 8, NEXT_FLOOR_MICROS, NEXT_CAP_MICROS)
                : clamp(ageMicros / 8 * (1 + look.ahead()), LATER_FLOOR_MICROS, LATER_CAP_MICROS);
        long spread = (long) (calm * (0.75 + jitter / 2));
        return Duration.ofNanos(Math.min(spread, look.leftMs() * 1_000 + AFTER_LEASE_MICROS) * 1_000);
    }

    private static long clamp(long value, long low, long high) {
        return Math.max(low, Math.min(high, value));
    }
}
