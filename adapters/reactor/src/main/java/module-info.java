/** Locks for Reactor. */
// Reactor and Reactive Streams have no descriptors, and their names are fixed in their manifests.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.interlock.reactor {
    requires static org.jspecify;
    requires transitive dev.interlock;
    requires transitive org.reactivestreams;
    requires transitive reactor.core;

    exports dev.interlock.reactor;
}
