package dev.interlock.evidence;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

/** Redisson, with a lock that its watchdog renews. */
final class RedissonRival implements Rival {

    private final RedissonClient client;
    private final RLock lock;

    private RedissonRival(Config config, Duration lease, boolean fenced, String name) {
        config.setLockWatchdogTimeout(lease.toMillis());
        client = Redisson.create(config);
        lock = fenced ? client.getFencedLock(name) : client.getLock(name);
    }

    /** Default settings, except for the lease. */
    static Rival plain(String uri, String name, Duration lease) {
        Config config = new Config();
        servers(config, uri);
        return new RedissonRival(config, lease, false, name);
    }

    /**
     * The fenced lock, which is asked before each step whether it is still held, with time-outs of a third of the
     * lease, so that the answer can come before the lease ends.
     */
    static Rival fenced(String uri, String name, Duration lease) {
        int quickMillis = (int) lease.dividedBy(3).toMillis();
        Config config = new Config();
        BaseConfig<?> servers = servers(config, uri);
        servers.setTimeout(quickMillis);
        servers.setConnectTimeout(quickMillis);
        servers.setRetryAttempts(1);
        return new RedissonRival(config, lease, true, name);
    }

    private static BaseConfig<?> servers(Config config, String uri) {
        RedisAddress address = RedisAddress.of(uri);
        if (address.isSentinel()) {
            return config.useSentinelServers().setMasterName(address.master()).addSentinelAddress(address.uris());
        }
        return address.isCluster()
                ? config.useClusterServers().addNodeAddress(address.uris())
                : config.useSingleServer().setAddress(uri);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        if (lock instanceof RFencedLock fenced) {
            Long token = fenced.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS);
            return token == null ? null : new FencedHold(fenced, token);
        }
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? lock::unlock : null;
    }

    @Override
    public void close() {
        client.shutdown();
    }

    private record FencedHold(RFencedLock lock, long token) implements Held {

        @Override
        public boolean isHeld() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
