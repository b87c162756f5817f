package dev.interlock.redis;

import dev.interlock.redis.connection.ClientCertificate;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store. Immutable.
 *
 * @param fenceLife how long the last fence of a name is kept, at least
 * @param redissonInterop whether releases wake waiting clients of Redisson, and Redisson's releases wake ours
 * @param trust a PEM file with the certificates to trust; null for those that the JVM trusts
 * @param certificate the certificate of the client for TLS; null for none
 * @param replicas how many replicas must have confirmed a claim before it counts as granted; 0 for none
 * @param replicaTimeout how long to wait for them
 */
record Settings(
        Duration fenceLife,
        boolean redissonInterop,
        @Nullable Path trust,
        @Nullable ClientCertificate certificate,
        int replicas,
        Duration replicaTimeout) {

    static final Settings DEFAULTS = new Settings(Duration.ofMinutes(2), false, null, null, 0, Duration.ofMillis(500));

    static final Duration FORCED_LIFE = Duration.ofSeconds(60);

    /**
     * How long a claim that waits in order keeps its place without asking again. For this long, a dead one may delay
     * the others.
     */
    static final Duration PLACE = Duration.ofSeconds(5);

    /** The entry of a waiting claim must outlast the time between two polls of its client. */
    private static final long SHORTEST_WAITER_MILLIS = 5_000;

    /** The entry of a waiting claim must not outlast a dead client for long. */
    private static final long LONGEST_WAITER_MILLIS = 60_000;

    private static final int FENCE_LEASES = 3;

    /** The longest time that Redis accepts: beyond it, its sum of the present time and the expiry overflows. */
    private static final long LONGEST_MILLIS = 100_000_000_000_000L;

    Settings withFenceLife(Duration life) {
        return new Settings(positive(life, "fenceLife"), redissonInterop, trust, certificate, replicas, replicaTimeout);
    }

    Settings withRedissonInterop(boolean on) {
        return new Settings(fenceLife, on, trust, certificate, replicas, replicaTimeout);
    }

    Settings withTrust(Path certificates) {
        return new Settings(fenceLife, redissonInterop, certificates, certificate, replicas, replicaTimeout);
    }

    Settings withCertificate(Path chain, Path key) {
        ClientCertificate own = new ClientCertificate(chain, key);
        return new Settings(fenceLife, redissonInterop, trust, own, replicas, replicaTimeout);
    }

    Settings withReplicas(int number, Duration timeout) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    "replicas must be 1 or more; leave it out if no replica has to confirm a lock: " + number);
        }
        return new Settings(
                fenceLife, redissonInterop, trust, certificate, number, positive(timeout, "replicaTimeout"));
    }

    Settings withReplicaTimeout(Duration timeout) {
        return new Settings(
                fenceLife, redissonInterop, trust, certificate, replicas, positive(timeout, "replicaTimeout"));
    }

    /** Rounds up, so that the store never ends a claim before its owner does. */
    static long millis(Duration duration) {
        if (duration.toSeconds() >= LONGEST_MILLIS / 1000) {
            return LONGEST_MILLIS;
        }
        return Math.max(1, duration.plusNanos(999_999).toMillis());
    }

    /**
     * How long the fence of a claim with this lease is kept: longer than the lease, so that it outlasts a step of the
     * server's clock.
     */
    long fenceMillis(long leaseMillis) {
        return Math.min(LONGEST_MILLIS, Math.max(millis(fenceLife), FENCE_LEASES * leaseMillis));
    }

    /** How long a claim with this lease stays listed as waiting if it does not ask again. */
    static long waiterMillis(long leaseMillis) {
        return Math.min(LONGEST_WAITER_MILLIS, Math.max(SHORTEST_WAITER_MILLIS, leaseMillis));
    }

    private static Duration positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
        return value;
    }
}
