package dev.interlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * When the lease of a held claim is to be set anew: for its holders, or because the store has to be told that somebody
 * listens. And whether that is under way: there is one such request at a time, as of two the store may execute the
 * shorter last. Not thread-safe: part of a {@link ClaimLife}.
 */
final class RenewalPlan {

    /** The least and most time to the next try after a failed renewal. */
    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();

    private static final int MOST_DOUBLINGS = 10;

    /** Whether the watchdog renews it, for the sake of a holder. */
    private boolean on;

    private long atNanos = EngineClock.NEVER;
    private boolean underWay;
    private long sentNanos;

    /** Done when the request under way has ended; null if nobody waits for that. */
    private @Nullable CompletableFuture<Void> end;

    /** Whether somebody listens to what is asked of it, and whether the store has yet to be told. */
    private boolean announced;

    private boolean announcing;
    private int failures;

    boolean isOn() {
        return on;
    }

    /** Whether the watchdog renews it from now on, and when next. */
    void set(boolean renewed, long nextNanos) {
        on = renewed;
        long planned = on ? nextNanos : EngineClock.NEVER;
        atNanos = announcing ? Math.min(atNanos, planned) : planned;
    }

    /** Renews it now, and until that has worked; does nothing if that has been asked for. */
    void announce(long nowNanos) {
        if (!announced) {
            announced = true;
            announcing = true;
            atNanos = nowNanos;
        }
    }

    void sent(long nowNanos) {
        underWay = true;
        sentNanos = nowNanos;
    }

    /** The request under way has worked, or comes to nothing. */
    void ended() {
        underWay = false;
        if (end != null) {
            end.complete(null);
            end = null;
        }
    }

    /** It has worked; the next is planned for {@code nextNanos}. */
    void succeeded(long nextNanos) {
        announcing = false;
        failures = 0;
        set(on, nextNanos);
    }

    /**
     * It has failed, and is tried again soon, a pause after it was sent: what was given up has waited already. For a
     * lease that is long enough anyway, which is due at {@code nextNanos}, there is no hurry.
     *
     * @return when a try makes sense at the earliest
     */
    long failed(long leaseNanos, long nextNanos, long nowNanos) {
        long longest = Math.max(MIN_BACKOFF_NANOS, leaseNanos / 10);
        long pause = Math.min(longest, MIN_BACKOFF_NANOS << Math.min(failures, MOST_DOUBLINGS));
        long earliest = Math.max(nowNanos + MIN_BACKOFF_NANOS, sentNanos + pause);
        failures++;
        long planned = on ? Math.max(earliest, nextNanos) : EngineClock.NEVER;
        atNanos = announcing ? earliest : planned;
        return earliest;
    }

    /** How many have failed since one worked. */
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

    /** Done when the request under way has ended, or the claim has. For waiting only: nothing may depend on it. */
    CompletableFuture<Void> end() {
        CompletableFuture<Void> awaited = end == null ? new CompletableFuture<>() : end;
        end = awaited;
        return awaited;
    }

    boolean isDue(long nowNanos, long slackNanos) {
        return !underWay && atNanos - slackNanos <= nowNanos;
    }

    /** When one is to be sent. */
    long dueNanos() {
        return underWay ? EngineClock.NEVER : atNanos;
    }
}
