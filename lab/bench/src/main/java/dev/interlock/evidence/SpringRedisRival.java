package dev.interlock.evidence;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry on Redis. */
final class SpringRedisRival implements Rival {

    private final LettuceConnectionFactory factory;
    private final RedisLockRegistry registry;
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    private final Lock lock;

    private SpringRedisRival(String uri, String name, Duration lease, boolean renews) {
        RedisAddress address = RedisAddress.of(uri);
        LettuceClientConfiguration.LettuceClientConfigurationBuilder settings = LettuceClientConfiguration.builder();
        if (renews) {
            settings.commandTimeout(lease.dividedBy(3));
        }
        if (renews && address.isCluster()) {
            settings.clientOptions(ClusterClientOptions.builder()
                    .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .enablePeriodicRefresh(lease.dividedBy(3))
                            .build())
                    .build());
        }
        factory = new LettuceConnectionFactory(servers(address), settings.build());
        factory.afterPropertiesSet();
        factory.start();
        registry = new RedisLockRegistry(factory, "evidence", lease);
        if (renews) {
            scheduler.setDaemon(true);
            scheduler.initialize();
            registry.setRenewalTaskScheduler(scheduler);
        }
        lock = registry.obtain(name);
    }

    /** Default settings, except for the lease: it polls, and nobody renews. */
    static Rival plain(String uri, String name, Duration lease) {
        return new SpringRedisRival(uri, name, lease, false);
    }

    /**
     * With a scheduler that renews, with a time-out for commands of a third of the lease, and with a view of the
     * cluster that is refreshed as often.
     */
    static Rival renewing(String uri, String name, Duration lease) {
        return new SpringRedisRival(uri, name, lease, true);
    }

    private static RedisConfiguration servers(RedisAddress address) {
        if (address.isSentinel()) {
            return new RedisSentinelConfiguration(address.master(), Set.copyOf(address.hosts()));
        }
        if (address.isCluster()) {
            return new RedisClusterConfiguration(address.hosts());
        }
        URI only = URI.create(address.uris()[0]);
        return new RedisStandaloneConfiguration(only.getHost(), only.getPort());
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? lock::unlock : null;
    }

    @Override
    public void close() {
        registry.destroy();
        scheduler.destroy();
        factory.destroy();
    }
}
