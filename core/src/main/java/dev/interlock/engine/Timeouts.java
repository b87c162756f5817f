package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a client waits for the store, and when it asks again. Thread-safe. */
final class Timeouts {

    private static final int MOST_DOUBLINGS = 4;

    private final long attemptNanos;
    private final long storeNanos;
    private final long pollCapNanos;

    /**
     * The longest time that a reply has taken, which fades with each later one. Many threads write it: a lost update is
     * made up by the next.
     */
    private volatile long latencyNanos;

    Timeouts(EngineConfig config) {
        this.storeNanos = config.storeTimeout().toNanos();
        this.attemptNanos = Math.min(config.attemptTimeout().toNanos(), storeNanos);
        this.pollCapNanos = config.pollCap().toNanos();
    }

    /** How long one request may take, unless the store is congested. */
    long attemptNanos() {
        return attemptNanos;
    }

    /** How long the store may be silent before callers without a deadline give up. */
    long storeNanos() {
        return storeNanos;
    }

    /**
     * How long to wait for the reply to an acquire. A store that is congested must not get the same request again,
     * which would delay the next reply even more: so this grows with the time that replies take.
     */
    long replyNanos() {
        return Math.max(attemptNanos, Math.min(4 * latencyNanos, storeNanos / 2));
    }

    /**
     * A reply that counts has arrived after this time. If that is longer than anybody waits, this process was stopped
     * meanwhile.
     */
    void replyTook(long nanos) {
        long known = latencyNanos;
        latencyNanos = Math.max(Math.min(nanos, replyNanos()), known - known / 16);
    }

    /**
     * How long to wait for the reply to a renewal: short enough that several attempts fit into what is left of the
     * shortest lease. Each attempt that was given up doubles it: of a store that always replies, if late, one reply
     * arrives in time, unless it takes a sixth of a lease.
     */
    long renewalNanos(Duration shortest, int failures) {
        return Math.min(attemptNanos << Math.min(failures, MOST_DOUBLINGS), longestRenewalNanos(shortest));
    }

    /** How long a request may take that keeps a lease of this length from being renewed. */
    static long longestRenewalNanos(Duration lease) {
        return lease.toNanos() / 6;
    }

    /** The poll cap, jittered, so that waiting clients do not poll in step. */
    long jitteredPollCap() {
        return jittered(pollCapNanos);
    }

    /** Takes off a random part, up to a quarter. */
    static long jittered(long nanos) {
        return nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1);
    }
}
