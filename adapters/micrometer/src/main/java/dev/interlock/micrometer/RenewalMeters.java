package dev.interlock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;

/** The counters of renewals with the same tags. Thread-safe. */
record RenewalMeters(Counter renewed, Counter failed) {

    RenewalMeters(Meters meters, Tags tags) {
        this(meters.renewals(tags.and("outcome", "renewed")), meters.renewals(tags.and("outcome", "failed")));
    }
}
