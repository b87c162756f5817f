package dev.interlock.bench;

import java.net.URI;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry on Lettuce, with its default settings except for the type and the lease. */
final class SpringPeer implements Peer {

    // Nobody renews it: longer than any row takes.
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final LettuceConnectionFactory factory;
    private final RedisLockRegistry registry;

    private SpringPeer(String uri, RedisLockType type) {
        URI address = URI.create(uri);
        factory = new LettuceConnectionFactory(address.getHost(), address.getPort());
        factory.afterPropertiesSet();
        factory.start();
        registry = new RedisLockRegistry(factory, "bench", LEASE);
        registry.setRedisLockType(type);
    }

    static Peer spin(String uri) {
        return new SpringPeer(uri, RedisLockType.SPIN_LOCK);
    }

    static Peer pubSub(String uri) {
        return new SpringPeer(uri, RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public PeerLock lock(String name) {
        return new JavaLock(registry.obtain(name));
    }

    @Override
    public void close() {
        registry.destroy();
        factory.destroy();
    }
}
