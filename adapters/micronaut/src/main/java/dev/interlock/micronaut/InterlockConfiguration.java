package dev.interlock.micronaut;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.ConversionService;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the client. Its durations are texts: Micronaut takes the default in the place of one that it
 * does not understand.
 *
 * @param uri where the locks are, for example {@code redis://localhost:6379}; null if a bean says it
 * @param application the name that people see at a lock; null for that of Micronaut
 * @param namePrefix a text with which the names of all locks begin in the store
 * @param storeTimeout how long a call waits while the store does not answer at all
 * @param attemptTimeout after this time without an answer a request is repeated
 * @param closeTimeout how long the end waits for running methods, and then for the store to confirm releases
 */
@ConfigurationProperties("interlock")
record InterlockConfiguration(
        @Nullable String uri,
        @Nullable String application,
        @Bindable(defaultValue = "") String namePrefix,
        @Bindable(defaultValue = "30s") String storeTimeout,
        @Bindable(defaultValue = "2s") String attemptTimeout,
        @Bindable(defaultValue = "5s") String closeTimeout,
        Defaults defaults) {

    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d+\\s*");

    /** Never shows the URI, which may have a password. */
    @Override
    public String toString() {
        return "InterlockConfiguration[uri=" + (uri == null ? "none" : "***") + "]";
    }

    /**
     * The options of locks.
     *
     * @param lease how long the store keeps the claim of a holder that it does not hear of
     * @param fixed whether the lease is never renewed
     * @param maxHold how long a lock may be held at most, if the lease is renewed; null for no limit
     */
    @ConfigurationProperties("defaults")
    record Defaults(
            @Bindable(defaultValue = "30s") String lease,
            @Bindable(defaultValue = "false") boolean fixed,
            @Nullable String maxHold) {}

    /**
     * The options of locks, before an annotation changes them.
     *
     * @throws IllegalArgumentException if a value is out of its range, or a fixed lease has a maximum hold
     */
    LockOptions options() {
        return LockOptions.builder().lease(term()).build();
    }

    /**
     * A duration of the configuration.
     *
     * @throws IllegalArgumentException if it is none, or a number without a unit
     */
    static Duration duration(String property, String text) {
        return Optional.of(text)
                .filter(given -> !NUMBER.matcher(given).matches())
                .flatMap(given -> ConversionService.SHARED.convert(given, Duration.class))
                .orElseThrow(() -> new IllegalArgumentException("interlock." + property + " = \"" + text
                        + "\" is no duration: write a number and its unit, such as 30s or 500ms"));
    }

    private LeaseTerm term() {
        Duration lease = duration("defaults.lease", defaults.lease);
        if (!defaults.fixed) {
            LeaseTerm term = LeaseTerm.renewing(lease);
            return defaults.maxHold == null ? term : term.maxHold(duration("defaults.max-hold", defaults.maxHold));
        }
        if (defaults.maxHold != null) {
            throw new IllegalArgumentException("interlock.defaults: a fixed lease has no max-hold, since its length is"
                    + " its bound: remove one of them");
        }
        return LeaseTerm.fixed(lease);
    }
}
