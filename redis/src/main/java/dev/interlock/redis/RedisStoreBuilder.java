package dev.interlock.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** Builds a store. What is set is copied at {@link #build()}; the builder is not thread-safe. */
public final class RedisStoreBuilder {

    private final Function<Settings, Connector> connector;
    private Settings settings;

    RedisStoreBuilder(Function<Settings, Connector> connector, Settings settings) {
        this.connector = connector;
        this.settings = settings;
    }

    /**
     * How long the last fence of a name is kept after its last use, at least; a lease that is long in comparison keeps
     * it for three leases. Two minutes by default. It should exceed the largest step back that the server's clock may
     * make, also that of a replica that takes over.
     */
    public RedisStoreBuilder fenceLife(Duration life) {
        settings = settings.withFenceLife(life);
        return this;
    }

    /**
     * Whether clients of Redisson that wait are told of our releases, and ours of theirs. Off by default: then both
     * still exclude each other, but a waiting client finds out by asking, and a release of which nobody wants to know
     * publishes nothing.
     */
    public RedisStoreBuilder redissonInterop(boolean on) {
        settings = settings.withRedissonInterop(on);
        return this;
    }

    /**
     * Which certificates to trust, with TLS: a PEM file with those of the authorities, or with the server's own.
     * Without it, those that the JVM trusts. The name in the URI must in any case be one that the server's certificate
     * names. Only for a store with its own connections.
     *
     * @throws IllegalArgumentException from {@link #build()} if the store does not use TLS
     */
    public RedisStoreBuilder trust(Path certificates) {
        settings = settings.withTrust(certificates);
        return this;
    }

    /**
     * How many replicas must have confirmed a lock before it is got. Not asked by default: then a failover may forget a
     * lock that has just been got. With it, a lock that too few have confirmed in time is released again, and the
     * attempt fails. It costs every acquire the time until the slowest of them has confirmed, and never delays a
     * release or a renewal.
     *
     * <p>It makes a loss less likely and does not exclude it: the replica that takes over may be one of those that had
     * not confirmed. Let the resource check the fencing token.
     *
     * @param number 1 or more, and no more than there are
     * @param timeout how long they may take
     */
    public RedisStoreBuilder replicas(int number, Duration timeout) {
        settings = settings.withReplicas(number, timeout);
        return this;
    }

    /** Builds the store, without any I/O. */
    public RedisStore build() {
        return new RedisStore(connector.apply(settings), settings);
    }
}
