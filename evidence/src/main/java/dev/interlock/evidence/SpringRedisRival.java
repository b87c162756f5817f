package dev.interlock.evidence;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
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
        URI address = URI.create(uri);
        LettuceClientConfiguration.LettuceClientConfigurationBuilder settings = LettuceClientConfiguration.builder();
        if (renews) {
            settings.commandTimeout(lease.dividedBy(3));
        }
        factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(address.getHost(), address.getPort()), settings.build());
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

    /** With a scheduler that renews, and with a time-out for commands of a third of the lease. */
    static Rival renewing(String uri, String name, Duration lease) {
        return new SpringRedisRival(uri, name, lease, true);
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
