/** Metrics and observations of locks, for Micrometer. */
// Micrometer's names are fixed in its manifests.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.interlock.micrometer {
    requires static org.jspecify;
    requires transitive dev.interlock;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires micrometer.commons;

    exports dev.interlock.micrometer;
}
