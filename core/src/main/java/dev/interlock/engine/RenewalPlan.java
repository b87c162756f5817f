package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * When the next request that sets the lease of a held claim is due: for its holders, or so that the store listens for
 * revocation requests. And whether one is under way: there is one at a time, since the store may execute the shorter of
 * two last. Not thread-safe: part of a {@link ClaimLife}.
 */
final class RenewalPlan {

    /** The shortest pause after a failed renewal. */
    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();

    private static final int MOST_DOUBLINGS = 10;

    /** Whether the watchdog renews the claim for a holder. */
    private boolean on;

    private long atNanos = EngineClock.NEVER;
    private boolean underWay;
    private long sentNanos;

    /** Completes when the request under way has ended; null if nobody waits for that. */
    private @Nullable CompletableFuture<Void> end;

    /** Whether a renewal for revocation requests was planned. */
    private boolean announced;

    /** Whether a renewal was planned whatever the term, and is still outstanding. */
    private boolean announcing;

    /** Whether another one is wanted when the one under way has ended: the store may have executed that before. */
    private boolean again;

    private int failures;

    boolean isOn() {
        return on;
    }

    /** Sets whether the watchdog renews the claim, and when next. */
    void set(boolean renewed, long nextNanos) {
        on = renewed;
        long planned = on ? nextNanos : EngineClock.NEVER;
        atNanos = announcing ? Math.min(atNanos, planned) : planned;
    }

    /** Plans a renewal now, repeated until it works; does nothing if that was done before. */
    void announce(long nowNanos) {
        if (!announced) {
            announced = true;
            look(nowNanos);
        }
    }

    /** Plans a renewal now, repeated until it works, to learn whether the claim is still there. */
    void look(long nowNanos) {
        announcing = true;
        again = underWay;
        atNanos = nowNanos;
    }

    void sent(long nowNanos) {
        underWay = true;
        sentNanos = nowNanos;
    }

    /** The request under way has ended. */
    void ended() {
        underWay = false;
        if (end != null) {
            end.complete(null);
            end = null;
        }
    }

    /** It has worked. The next one is planned for {@code nextNanos}. */
    void succeeded(long nextNanos) {
        announcing = again;
        again = false;
        failures = 0;
        set(on, nextNanos);
    }

    /**
     * It has failed. The next attempt follows a pause that counts from when it was sent, since a request that was given
     * up has waited already. A lease that is long enough anyway, and due at {@code nextNanos}, is in no hurry.
     *
     * @return when an attempt makes sense at the earliest
     */
    long failed(long leaseNanos, long nextNanos, long nowNanos) {
        long longest = Math.max(MIN_BACKOFF_NANOS, leaseNanos / 10);
        long pause = Math.min(longest, MIN_BACKOFF_NANOS << Math.min(failures, MOST_DOUBLINGS));
        long earliest = Math.max(nowNanos + MIN_BACKOFF_NANOS, sentNanos + pause);
        failures++;
        long planned = on ? Math.max(earliest, nextNanos) : EngineClock.NEVER;
        atNanos = announcing ? earliest : planned;
        again = false;
        return earliest;
    }

    /** How many have failed since the last success. */
    int failures() {
        return failures;
    }

    /** The claim is over: nothing is renewed any more. */
    void over() {
        ended();
        on = false;
        announcing = false;
        atNanos = EngineClock.NEVER;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Completes when the request under way, or the claim, has ended. For waiting only: no stage may depend on it. */
    CompletableFuture<Void> end() {
        CompletableFuture<Void> awaited = end == null ? new CompletableFuture<>() : end;
        end = awaited;
        return awaited;
    }

    boolean isDue(long nowNanos, long slackNanos) {
        return !underWay && atNanos - slackNanos <= nowNanos;
    }

    /** When one is due. */
    long dueNanos() {
        return underWay ? EngineClock.NEVER : atNanos;
    }
}
