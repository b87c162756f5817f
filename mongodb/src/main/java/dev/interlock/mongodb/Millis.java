package dev.interlock.mongodb;

import java.time.Duration;

/** Durations in the server's unit. */
final class Millis {

    private Millis() {}

    /** A lease in the store never ends before the one here. */
    static long roundedUp(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }
}
