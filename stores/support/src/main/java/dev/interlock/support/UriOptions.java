package dev.interlock.support;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a URI: {@code name=value[&name=value...]}. Values are percent-encoded. If a name stands twice, its
 * last value counts. Immutable.
 */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public final class UriOptions {

    private static final int LONGEST_WORD = 5;

    private final String subject;
    private final List<Option> all = new ArrayList<>();
    private final boolean quotable;

    /** The value is not decoded. */
    private record Option(String name, String value) {
        static Option parse(String text) {
            int equals = text.indexOf('=');
            return equals < 0
                    ? new Option(text, "")
                    : new Option(text.substring(0, equals), text.substring(equals + 1));
        }
    }

    UriOptions(String subject, String query, boolean quotable) {
        this.subject = subject;
        this.quotable = quotable;
        if (!query.isEmpty()) {
            for (String option : query.split("&", -1)) {
                all.add(Option.parse(option));
            }
        }
    }

    /**
     * Parses the options of a URI that has no hosts and no credentials.
     *
     * @param subject how messages call the URI, with its article: {@code an SQLite URI}
     * @param query the text after the question mark
     */
    public static UriOptions parse(String subject, String query) {
        return new UriOptions(subject, query, true);
    }

    /**
     * Checks that there is no other option.
     *
     * @return this
     * @throws IllegalArgumentException if there is one
     */
    public UriOptions only(String... names) {
        List<String> allowed = List.of(names);
        for (Option option : all) {
            if (!allowed.contains(option.name)) {
                String rule = allowed.size() == 1
                        ? "The only option of " + subject + " is " + allowed.get(0)
                        : "The options of " + subject + " are " + String.join(", ", allowed);
                throw new IllegalArgumentException(rule + Messages.about(option.name, ", not ", quotable));
            }
        }
        return this;
    }

    /** The option's value, decoded; null if the option is missing. */
    public @Nullable String text(String name) {
        String value = value(name);
        return value == null ? null : PercentEncoding.decode(name, value);
    }

    /** Whether the option is {@code true} and not {@code false}. */
    public boolean flag(String name, boolean otherwise) {
        String value = value(name);
        return switch (value == null ? Boolean.toString(otherwise) : word(value)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name, "must be true or false");
        };
    }

    /** The option as a number that is not smaller than the given one. */
    public int number(String name, int from, int otherwise) {
        String value = value(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= from) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says so.
        }
        throw invalid(name, "must be a number, " + from + " or more");
    }

    /**
     * The option as a duration, in the form of ISO 8601 or as a number with {@code ms}, {@code s}, {@code m} or
     * {@code h}.
     */
    public Duration duration(String name, Duration otherwise) {
        String value = value(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return value.length() > 0 && Character.isDigit(value.charAt(0)) ? brief(value) : Duration.parse(value);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw invalid(name, "must be a duration such as 15s, 500ms or PT15S");
        }
    }

    private static Duration brief(String value) {
        int digits = 0;
        while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
            digits++;
        }
        long number = Long.parseLong(value.substring(0, digits));
        return switch (word(value.substring(digits))) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> throw new DateTimeException("no unit");
        };
    }

    /** In lower case, if it may be a word: a long text may take time by the square of its length. */
    private static String word(String text) {
        return text.length() > LONGEST_WORD ? text : text.toLowerCase(Locale.ROOT);
    }

    /**
     * The options as they stand in the URI but for this one, separated by {@code &}: for a driver of another library.
     */
    public String without(String name) {
        return all.stream()
                .filter(option -> !option.name.equals(name) && !option.name.isEmpty())
                .map(option -> option.name + "=" + option.value)
                .collect(Collectors.joining("&"));
    }

    /**
     * The exception for an option's value that the store cannot take.
     *
     * @param rule what must be so, after the name: {@code must be positive}. The value is added where it may be quoted
     */
    public IllegalArgumentException invalid(String name, String rule) {
        String value = value(name);
        return new IllegalArgumentException(
                name + " " + rule + Messages.about(value == null ? "" : value, ": ", quotable));
    }

    private @Nullable String value(String name) {
        String value = null;
        for (Option option : all) {
            value = option.name.equals(name) ? option.value : value;
        }
        return value;
    }

    /** The names only: a value may be a password. */
    @Override
    public String toString() {
        return quotable ? all.stream().map(Option::name).toList().toString() : "[...]";
    }
}
