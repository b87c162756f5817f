package dev.interlock.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Points in time and durations, as the API has them. */
final class Times {

    /** The longest time between two looks at a store that answers. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** ISO-8601 with milliseconds. */
    static String text(Instant instant) {
        return FORM.format(instant);
    }

    /** The time between, 0 if the second comes first. */
    static long millis(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis());
    }
}
