package dev.interlock.cdi;

import dev.interlock.InterlockBuilder;
import dev.interlock.LeaseTerm;
import dev.interlock.annotation.spi.Durations;
import dev.interlock.spi.KnownStore;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The settings of the application: of MicroProfile Config if there is one, else system properties and variables of the
 * environment, in which {@code interlock.store-timeout} is {@code INTERLOCK_STORE_TIMEOUT}. Immutable.
 */
final class Settings {

    private static final String LEASE = "interlock.defaults.lease";
    private static final String MAX_HOLD = "interlock.defaults.max-hold";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^{}:]+)(?::([^{}]*))?}");

    private final Function<String, Optional<String>> values;

    /** Settings of a source. */
    Settings(Function<String, Optional<String>> values) {
        this.values = values;
    }

    static Settings ofTheApplication() {
        try {
            return new Settings(ofMicroProfile());
        } catch (LinkageError | IllegalStateException e) {
            // There is no such API, or nothing behind it.
            return new Settings(Settings::ofTheProcess);
        }
    }

    private static Function<String, Optional<String>> ofMicroProfile() {
        Config config = ConfigProvider.getConfig();
        return key -> config.getOptionalValue(key, String.class);
    }

    private static Optional<String> ofTheProcess(String key) {
        String property = System.getProperty(key);
        return Optional.ofNullable(
                property == null
                        ? System.getenv(key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT))
                        : property);
    }

    /** Without spaces around; empty if there is none, or nothing in it. */
    Optional<String> text(String key) {
        return values.apply(key).map(String::strip).filter(text -> !text.isEmpty());
    }

    /**
     * Replaces each <code>${key}</code> and <code>${key:default}</code> in a text.
     *
     * @throws IllegalArgumentException if a key has neither a value nor a default
     */
    String resolve(String text) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(text(match.group(1))
                        .or(() -> Optional.ofNullable(match.group(2)))
                        .orElseThrow(
                                () -> new IllegalArgumentException("the configuration has no " + match.group(1)))));
    }

    /**
     * Where the locks are.
     *
     * @throws IllegalStateException if nothing says so
     */
    String uri() {
        return text("interlock.uri")
                .orElseThrow(
                        () -> new IllegalStateException("Interlock has no store: set interlock.uri, for example to "
                                + KnownStore.REDIS.example() + ", and add the store's module: "
                                + KnownStore.artifacts("or")
                                + ", or have a bean of type Interlock or LockStore"));
    }

    Duration closeTimeout() {
        return duration("interlock.close-timeout").orElse(CLOSE_TIMEOUT);
    }

    /**
     * Sets what is set.
     *
     * @throws IllegalArgumentException if a value is wrong; the message begins with its key
     */
    void apply(InterlockBuilder builder) {
        text("interlock.application").or(() -> text("quarkus.application.name")).ifPresent(builder::application);
        set("interlock.name-prefix", values.apply("interlock.name-prefix"), builder::namePrefix);
        set("interlock.store-timeout", builder::storeTimeout);
        set("interlock.attempt-timeout", builder::attemptTimeout);
        set("interlock.poll-cap", builder::pollCap);
        set("interlock.close-timeout", builder::closeTimeout);
        set(LEASE, length -> builder.lockOptions(options -> options.lease(LeaseTerm.renewing(length))));
        set(
                MAX_HOLD,
                limit -> builder.lockOptions(options -> options.lease(renewing().maxHold(limit))));
    }

    private LeaseTerm renewing() {
        return duration(LEASE).map(LeaseTerm::renewing).orElseGet(LeaseTerm::renewing);
    }

    private void set(String key, Consumer<Duration> setter) {
        set(key, duration(key), setter);
    }

    private static <T> void set(String key, Optional<T> value, Consumer<T> setter) {
        try {
            value.ifPresent(setter);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    private Optional<Duration> duration(String key) {
        return text(key).map(text -> {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key + " = \"" + text + "\", " + e.getMessage(), e);
            }
        });
    }
}
