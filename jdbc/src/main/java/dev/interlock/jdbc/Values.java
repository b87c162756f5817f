package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The values of named parameters. */
final class Values {

    private final Map<String, Object> byName = new HashMap<>();

    /** What the steps need to know of a claim. */
    static Values of(Claim claim) {
        Duration waited = claim.waited();
        return new Values()
                .with("name", claim.id().name())
                .with("kind", claim.id().kind().name())
                .with("owner", claim.owner().value())
                .with("lease", millis(claim.lease()))
                .with("waited", waited == null ? 0 : waited.toMillis())
                .with("listed", Timing.LISTED_MS)
                .with("host", claim.party().host())
                .with("pid", claim.party().pid())
                .with("application", claim.party().application())
                .with("thread", claim.party().thread());
    }

    Values with(String parameter, Object value) {
        byName.put(parameter, value);
        return this;
    }

    Object get(String parameter) {
        Object value = byName.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException(
                    "A statement asks for a parameter that its step does not have: " + parameter);
        }
        return value;
    }

    /** Rounded up: a lease in the store never ends before the one here. */
    private static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }
}
