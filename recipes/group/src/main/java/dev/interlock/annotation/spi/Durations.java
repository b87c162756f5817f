package dev.interlock.annotation.spi;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as text: {@code 500ms}, {@code 5s} or {@code PT5S}, and never a number alone. */
public final class Durations {

    private static final Pattern BRIEF = Pattern.compile("([+-]?\\d+)([a-zA-Z]{0,2})");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private static final String NONE = "which is no duration: write 500ms, 5s or PT5S";

    private Durations() {}

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if it is no duration; the message goes on after the text
     */
    public static Duration parse(String text) {
        Matcher brief = BRIEF.matcher(text);
        try {
            if (!brief.matches()) {
                return Duration.parse(text);
            }
            // It would be milliseconds to some, and seconds to others.
            if (brief.group(2).isEmpty()) {
                throw new IllegalArgumentException("a number without a unit: write " + text + "s or " + text + "ms");
            }
            @Nullable ChronoUnit unit = UNITS.get(brief.group(2).toLowerCase(Locale.ROOT));
            if (unit != null) {
                return Duration.of(Long.parseLong(brief.group(1)), unit);
            }
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(NONE, e);
        }
        throw new IllegalArgumentException(NONE);
    }
}
