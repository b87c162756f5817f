package dev.interlock.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a client waits for the store, and when it asks again. Thread-safe. */
final class Timeouts {

    private static final int MOST_DOUBLINGS = 4;

    /** Before every moment of the clock, which is positive. */
    private static final long LONG_AGO = Long.MIN_VALUE;

    private final long attemptNanos;
    private final long storeNanos;
    private final long pollCapNanos;
    private final RandomGenerator random;

    /**
     * The longest time that a reply has taken, which fades with each later one. Many threads write it: a lost update is
     * made up by the next.
     */
    private volatile long latencyNanos;

    /** When the store last replied; long ago if the last request has failed. Written like {@link #latencyNanos}. */
    private volatile long heardNanos = LONG_AGO;

    /** @param random thread-safe */
    Timeouts(EngineConfig config, RandomGenerator random) {
        this.random = random;
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

    /** The store has replied to a request, whatever it was about. */
    void heard(long now) {
        heardNanos = now;
    }

    /** A request has failed. */
    void failed() {
        heardNanos = LONG_AGO;
    }

    /** Whether the store has replied to any request since this moment, and none has failed after that. */
    boolean hasHeardSince(long nanos) {
        return heardNanos >= nanos;
    }

    /**
     * How long to wait for the reply to a renewal: short enough that several attempts fit into what is left of the
     * shortest lease. Each attempt that was given up doubles it: of a store that always replies, if late, one reply
     * arrives in time, unless it takes a sixth of a lease. A store whose replies have lately taken nearly as long is
     * not silent but slow: for twice that time, up to a third of the lease.
     */
    long renewalNanos(Duration shortest, int failures) {
        long sixth = shortest.toNanos() / 6;
        long longest = Math.max(sixth, 2 * Math.min(latencyNanos, sixth));
        return Math.min(attemptNanos << Math.min(failures, MOST_DOUBLINGS), longest);
    }

    /** The poll cap, jittered, so that waiting clients do not poll in step. */
    long jitteredPollCap() {
        return jittered(pollCapNanos);
    }

    /** Takes off a random part, up to a quarter. */
    long jittered(long nanos) {
        return nanos - random.nextLong(nanos / 4 + 1);
    }
}
