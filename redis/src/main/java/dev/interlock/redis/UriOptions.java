package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options of a Redis URI: {@code name=value}, separated by {@code &}.
 *
 * @param settings what they say of the store
 * @param database {@code db}, which only a URI of Sentinels has: in others it stands in the path
 */
record UriOptions(Settings settings, int database) {

    static UriOptions parse(@Nullable String query, boolean sentinel) {
        UriOptions options = new UriOptions(Settings.DEFAULTS, 0);
        if (query == null || query.isEmpty()) {
            return options;
        }
        for (String option : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = equals < 0 ? "" : option.substring(equals + 1);
            options = sentinel && name.equals("db")
                    ? new UriOptions(options.settings, StoreUri.database(value, true))
                    : new UriOptions(with(options.settings, name, value), options.database);
        }
        return options;
    }

    private static Settings with(Settings settings, String name, String value) {
        return switch (name) {
            case "redissonInterop" -> settings.withRedissonInterop(bool(name, value));
            case "fenceLife" -> settings.withFenceLife(duration(name, value));
            case "trust" -> settings.withTrust(path(name, value));
            case "replicas" -> settings.withReplicas(number(name, value), settings.replicaTimeout());
            case "replicaTimeout" -> settings.withReplicaTimeout(duration(name, value));
            default ->
                throw new IllegalArgumentException(
                        "The options of a Redis URI are redissonInterop, fenceLife, trust, replicas,"
                                + " replicaTimeout, and db with Sentinels, not '" + name + "'");
        };
    }

    private static boolean bool(String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + " must be true or false: '" + value + "'");
        };
    }

    private static Duration duration(String name, String value) {
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(name + " must be an ISO-8601 duration such as PT5M: '" + value + "'", e);
        }
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number: '" + value + "'", e);
        }
    }

    private static Path path(String name, String value) {
        try {
            if (!value.isEmpty()) {
                return Path.of(URLDecoder.decode(value.replace("+", "%2B"), UTF_8));
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new IllegalArgumentException(name + " must be the path of a PEM file, percent-encoded: '" + value + "'");
    }
}
