/**
 * The Redis store. Users need the package {@code dev.interlock.redis} alone; its description is a map of the others.
 *
 * <p>Lettuce has no descriptor, so nothing else makes a module path contain the parts of Netty that it needs at run
 * time: {@code io.netty.resolver.dns} is required for its sake.
 */
// Lettuce and Reactor have no descriptors, and their names are fixed in their manifests.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.interlock.redis {
    requires transitive dev.interlock.support;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires reactor.core;
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.interlock;
    requires transitive dev.interlock.fence;
    requires transitive lettuce.core;

    exports dev.interlock.redis;

    provides dev.interlock.spi.LockStoreProvider with
            dev.interlock.redis.RedisStoreProvider;
}
