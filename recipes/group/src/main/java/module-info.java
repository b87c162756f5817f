/**
 * Several locks as one, several stores as one, and methods that hold locks.
 *
 * <p>Reactor is for annotated methods that return publishers. It and Reactive Streams have no descriptors, and their
 * names are fixed in their manifests.
 */
@SuppressWarnings("requires-automatic")
module dev.interlock.group {
    requires transitive dev.interlock;
    requires dev.interlock.support;
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires static org.reactivestreams;
    requires static reactor.core;

    exports dev.interlock.annotation;
    exports dev.interlock.annotation.spi;
    exports dev.interlock.group;
    exports dev.interlock.quorum;
}
