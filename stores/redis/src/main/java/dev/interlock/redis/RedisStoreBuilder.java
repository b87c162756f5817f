package dev.interlock.redis;

import dev.interlock.redis.connection.Connector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** Builds a {@link RedisStore}. {@link #build()} copies the settings. Not thread-safe. */
public final class RedisStoreBuilder {

    private final Function<Settings, Connector> connector;
    private Settings settings;

    RedisStoreBuilder(Function<Settings, Connector> connector, Settings settings) {
        this.connector = connector;
        this.settings = settings;
    }

    /**
     * Sets for how long the server keeps the last fence of a name after its last use: at least for this time, and for
     * three leases if that is longer. Two minutes by default. It should exceed the largest step back of the server's
     * clock, including the difference to the clock of a replica that takes over.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public RedisStoreBuilder fenceLife(Duration life) {
        settings = settings.withFenceLife(life);
        return this;
    }

    /**
     * Sets whether waiting clients of Redisson are notified of releases by this store, and waiting clients of this
     * store of releases by Redisson. Off by default: then they still exclude each other, but a waiting client notices
     * such a release by polling, and a release publishes nothing if no claim of this library waits.
     */
    public RedisStoreBuilder redissonInterop(boolean on) {
        settings = settings.withRedissonInterop(on);
        return this;
    }

    /**
     * Sets the certificates to trust with TLS: a PEM file with those of the authorities, or with the server's own. By
     * default, the store trusts those that the JVM trusts. In both cases, the server's certificate must be for the host
     * in the URI. Only for a store with its own connections.
     *
     * @throws IllegalArgumentException from {@link #build()} if the store does not use TLS
     */
    public RedisStoreBuilder trust(Path certificates) {
        settings = settings.withTrust(certificates);
        return this;
    }

    /**
     * Sets who this client is, for a server that wants to know that by TLS: two PEM files, one with the certificate,
     * and those of the authorities between if there are any, and one with its private key in PKCS #8, without a
     * password. Both are read for each connection. For a key store, let the application's own client have it, see
     * {@link RedisStore#over(io.lettuce.core.RedisClient)}. Only for a store with its own connections.
     *
     * @throws IllegalArgumentException from {@link #build()} if the store does not use TLS
     */
    public RedisStoreBuilder certificate(Path chain, Path key) {
        settings = settings.withCertificate(chain, key);
        return this;
    }

    /**
     * Sets how many replicas must have confirmed a lock before it counts as acquired. None by default: then a failover
     * may forget a lock that has just been acquired. If too few replicas confirm a lock in time, the store releases it
     * again and the attempt fails. Each acquire takes until the slowest of these replicas has confirmed. A release or a
     * renewal is never delayed.
     *
     * <p>This makes a loss less likely but does not exclude it, since the replica that takes over may be one that has
     * not confirmed the lock. Let the resource check the fencing token.
     *
     * @param number 1 or more, and at most the number of replicas that exist
     * @param timeout how long to wait for their confirmations; positive
     */
    public RedisStoreBuilder replicas(int number, Duration timeout) {
        settings = settings.withReplicas(number, timeout);
        return this;
    }

    /** Builds the store. Does no I/O. */
    public RedisStore build() {
        return new RedisStore(connector.apply(settings), settings);
    }
}
