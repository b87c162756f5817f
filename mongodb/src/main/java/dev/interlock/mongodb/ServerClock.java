package dev.interlock.mongodb;

import java.util.function.LongSupplier;

/**
 * What the server's clock shows at least, without asking it: the last time it has told, and what has passed here since.
 * A hint that spares a waiter's poll a write; nothing that is granted, refused or ended rests on it.
 */
final class ServerClock {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier nanoClock;
    private volatile Reading last = new Reading(Long.MIN_VALUE, 0);

    ServerClock(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** The server has just told its time, in milliseconds. */
    void told(long millis) {
        last = new Reading(millis, nanoClock.getAsLong());
    }

    boolean isKnown() {
        return last.millis != Long.MIN_VALUE;
    }

    /** The time that it shows now at least; to be asked only if it is known. */
    long atLeast() {
        Reading reading = last;
        return reading.millis + (nanoClock.getAsLong() - reading.nanos) / NANOS_PER_MILLI;
    }

    private record Reading(long millis, long nanos) {}
}
