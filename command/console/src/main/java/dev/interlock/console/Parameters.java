package dev.interlock.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request. */
final class Parameters {

    private static final int DEFAULT_LIMIT = 200;
    private static final int MOST = 1000;

    private final Map<String, String> values = new HashMap<>();

    /**
     * Reads them.
     *
     * @param encoded {@code application/x-www-form-urlencoded}; null for none
     */
    Parameters(@Nullable String encoded) {
        if (encoded == null || encoded.isEmpty()) {
            return;
        }
        for (String pair : encoded.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            if (values.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1))) != null) {
                throw Problem.badRequest("There is more than one parameter '" + name + "': give it once.");
            }
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest("A percent sign is not followed by two hexadecimal digits.");
        }
    }

    /** Empty if it is absent. */
    String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** Refuses a request without it. */
    String required(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            throw Problem.badRequest("The parameter '" + name + "' is missing.");
        }
        return value;
    }

    /** One of these values; null if it is absent. */
    @Nullable
    String oneOf(String name, List<String> allowed) {
        String value = text(name);
        if (value.isEmpty()) {
            return null;
        }
        if (!allowed.contains(value)) {
            throw Problem.badRequest("The parameter '" + name + "' must be one of " + String.join(", ", allowed) + ".");
        }
        return value;
    }

    int offset() {
        return number("offset", 0, 0, Integer.MAX_VALUE);
    }

    int limit() {
        return number("limit", DEFAULT_LIMIT, 1, MOST);
    }

    private int number(String name, int otherwise, int least, int most) {
        String value = text(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw Problem.badRequest("The parameter '" + name + "' must be a number from " + least + " to " + most + ".");
    }
}
