package dev.interlock.cli.common;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them. */
public final class Durations {

    /** The forms of durations, for messages. */
    public static final String SYNTAX = "500ms, 5s, 2m, 1h or ISO-8601 such as PT1M30S";

    /** Within the range of the monotonic clock, which counts nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none, with a message that says what is allowed
     */
    public static Duration parse(String text) {
        try {
            Duration result = read(text);
            if (!result.isNegative() && result.compareTo(LONGEST) <= 0) {
                return result;
            }
        } catch (DateTimeParseException | ArithmeticException e) {
            // The exception below says what is allowed.
        }
        throw new IllegalArgumentException("'" + text + "' is not a duration; write " + SYNTAX + ", at most 36500d");
    }

    private static Duration read(String text) {
        Matcher simple = SIMPLE.matcher(text);
        if (!simple.matches()) {
            return Duration.parse(text);
        }
        long count = Long.parseLong(simple.group(1));
        return switch (simple.group(2).toLowerCase(Locale.ROOT)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    /** The same, below a tenth of a second with more digits: {@code 0.42 ms}. */
    public static String precise(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return millis < 100 ? String.format(Locale.ROOT, "%.2f ms", millis) : text(duration);
    }

    /** For people: {@code 250 ms}, {@code 12.3 s}, {@code 4 min 10 s}, {@code 3 h 5 min}, {@code 2 d 4 h}. */
    public static String text(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 1000) {
            return millis + " ms";
        }
        long seconds = millis / 1000;
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%d.%d s", seconds, millis % 1000 / 100);
        }
        if (seconds < 3600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        if (seconds < 86_400) {
            return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
    }
}
