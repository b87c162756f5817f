package dev.interlock.redis;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a user may choose.
 *
 * @param fenceLife how long the last fence of a name is kept at least
 * @param redissonInterop whether clients of Redisson wake ours, and ours wake them
 * @param trust the certificates that are trusted, as a PEM file; null: those that the JVM trusts
 * @param replicas how many replicas must have confirmed a claim before it counts as granted; 0: none is asked
 * @param replicaTimeout how long they may take
 */
record Settings(
        Duration fenceLife, boolean redissonInterop, @Nullable Path trust, int replicas, Duration replicaTimeout) {

    static final Settings DEFAULTS = new Settings(Duration.ofMinutes(2), false, null, 0, Duration.ofMillis(500));

    static final Duration FORCED_LIFE = Duration.ofSeconds(60);

    /**
     * How long a claim that waits in order keeps its place without asking again: so long a dead one may keep others
     * waiting.
     */
    static final Duration PLACE = Duration.ofSeconds(5);

    /** An entry among those who wait outlives the pause between two polls of its client. */
    private static final long SHORTEST_WAITER_MILLIS = 5_000;

    /** And it does not outlive its client for long. */
    private static final long LONGEST_WAITER_MILLIS = 60_000;

    private static final int FENCE_LEASES = 3;

    /** The longest time that Redis takes: beyond that its own sum of time and expiry overflows. */
    private static final long LONGEST_MILLIS = 100_000_000_000_000L;

    Settings withFenceLife(Duration life) {
        return new Settings(positive(life, "fenceLife"), redissonInterop, trust, replicas, replicaTimeout);
    }

    Settings withRedissonInterop(boolean on) {
        return new Settings(fenceLife, on, trust, replicas, replicaTimeout);
    }

    Settings withTrust(Path certificates) {
        return new Settings(fenceLife, redissonInterop, certificates, replicas, replicaTimeout);
    }

    Settings withReplicas(int number, Duration timeout) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    "replicas must be 1 or more; leave it out if no replica has to confirm a lock: " + number);
        }
        return new Settings(fenceLife, redissonInterop, trust, number, positive(timeout, "replicaTimeout"));
    }

    Settings withReplicaTimeout(Duration timeout) {
        return new Settings(fenceLife, redissonInterop, trust, replicas, positive(timeout, "replicaTimeout"));
    }

    /** Rounded up: the store never forgets a claim before its owner does. */
    static long millis(Duration duration) {
        if (duration.toSeconds() >= LONGEST_MILLIS / 1000) {
            return LONGEST_MILLIS;
        }
        return Math.max(1, duration.plusNanos(999_999).toMillis());
    }

    /**
     * How long the fence of a claim with this lease is kept: longer than a lease that starts with it, so that it
     * outlives a step of the server's clock.
     */
    long fenceMillis(long leaseMillis) {
        return Math.min(LONGEST_MILLIS, Math.max(millis(fenceLife), FENCE_LEASES * leaseMillis));
    }

    /** How long a claim with this lease stays among those who wait if it does not ask again. */
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
