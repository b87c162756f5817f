package dev.interlock.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When one arbiter sends its next acquire: after a failure, and while its claim waits. And since when the store has
 * been silent. Not thread-safe: the arbiter's monitor guards it.
 */
final class RetrySchedule {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    /** When it was last known whether the name is free. */
    private long knownNanos = Long.MIN_VALUE;

    /** Since when a request has been without a reply; a store is not silent while nobody sends a request. */
    private long unansweredSinceNanos = EngineClock.NEVER;

    private int failures;
    private long retryAtNanos;
    private @Nullable Throwable lastFailure;

    /** Whether the last request that failed was not written, since the store was not connected. */
    private boolean unconnected;

    /** A request has failed for all callers that came up to this moment. */
    private long failedForNanos = Long.MIN_VALUE;
    /** Whether a request has not been answered since. */
    private boolean silentSince;

    /** Since when requests have been without a grant: the place in the store's list counts from here. */
    private long waitingSinceNanos = EngineClock.NEVER;

    /** When a waiting claim stops waiting for a wake and asks by itself. */
    private long pollAtNanos = EngineClock.NEVER;

    /** How long the last reply took that said busy; NEVER if the claim has had none. */
    private long tookBeforeNanos = EngineClock.NEVER;

    /** Whether a wake arrived while an acquire was under way, whose reply may be older than the wake. */
    private boolean woken;

    /**
     * The next request is for a new claim, for a caller that came at this moment: it is not credited with the time that
     * others have waited before they gave up.
     */
    void newClaim(long callerStartNanos) {
        if (waitingSinceNanos != EngineClock.NEVER) {
            waitingSinceNanos = Math.max(waitingSinceNanos, callerStartNanos);
        }
    }

    /** An acquire is sent now; returns for how long the claim has waited. */
    Duration sent(long now) {
        woken = false;
        pollAtNanos = EngineClock.NEVER;
        if (waitingSinceNanos == EngineClock.NEVER) {
            waitingSinceNanos = now;
        }
        unansweredSinceNanos = Math.min(unansweredSinceNanos, now);
        return Duration.ofNanos(now - waitingSinceNanos);
    }

    void granted(long now) {
        replied(now);
        waitingSinceNanos = EngineClock.NEVER;
        tookBeforeNanos = EngineClock.NEVER;
    }

    /**
     * The store said busy, {@code tookNanos} after the request was sent. A claim that it has listed asks again after
     * {@code retryAfter}, or after the poll cap if that is shorter.
     *
     * @param byOthers whether that says that somebody else has the name; what was known before stands if not
     */
    void busy(boolean byOthers, Duration retryAfter, long tookNanos, long now, Timeouts timeouts) {
        if (byOthers) {
            replied(now);
        }
        long pause = Math.min(EngineClock.nanos(retryAfter), timeouts.jitteredPollCap());
        // A congested store gets no more requests than it can answer. The quicker of the last two replies counts, not
        // the slowest of late: that may be the first, which had to connect, or the one that came when the store was
        // back from an outage, and would keep others from what has become free.
        long took = Math.min(tookNanos, tookBeforeNanos);
        tookBeforeNanos = tookNanos;
        pollAtNanos = now + Math.max(pause, Math.min(took, timeouts.replyNanos()));
    }

    void wokenWhileAsking() {
        woken = true;
    }

    /** Whoever came before now knows whether the name was free. */
    void known(long now) {
        knownNanos = now;
    }

    /** Whether a wake overtook the last reply. */
    boolean isWoken() {
        return woken;
    }

    long pollAtNanos() {
        return pollAtNanos;
    }

    private void replied(long now) {
        knownNanos = now;
        unansweredSinceNanos = EngineClock.NEVER;
        failures = 0;
        lastFailure = null;
        unconnected = false;
        silentSince = false;
    }

    /**
     * There was no reply, or none that can be understood. Each further failure doubles the pause.
     *
     * @param connecting whether the request was not written, since the store was not connected
     */
    void failed(@Nullable Throwable error, boolean connecting, long now, Timeouts timeouts) {
        if (error != null) {
            lastFailure = error;
        }
        unconnected = connecting;
        silentSince = error == null;
        long backoff = Math.min(MAX_BACKOFF_NANOS, MIN_BACKOFF_NANOS << Math.min(failures, 10));
        failures++;
        retryAtNanos = now + timeouts.jittered(backoff);
    }

    /** The request has failed for all callers that came up to this moment. It is not repeated for them. */
    void failedFor(long startNanos) {
        failedForNanos = Math.max(failedForNanos, startNanos);
    }

    /** Whether a caller that came at this moment has had its attempt, which failed. */
    boolean hasFailedFor(long startNanos) {
        return failedForNanos >= startNanos;
    }

    boolean isFailing() {
        return failures > 0;
    }

    /** Whether there has been no reply between the last two failures. */
    boolean isFailingAgain() {
        return failures > 1;
    }

    /** Whether the pause after the last failure is over. */
    boolean mayRetry(long now) {
        return failures == 0 || now >= retryAtNanos;
    }

    long retryAtNanos() {
        return retryAtNanos;
    }

    boolean isKnownSince(long nanos) {
        return knownNanos >= nanos;
    }

    /** Since when the store has been silent to a caller that came at this moment. */
    long silentSinceNanos(long callerStartNanos) {
        return Math.max(unansweredSinceNanos, callerStartNanos);
    }

    /** Whether the store was not connected when the last request failed. */
    boolean isUnconnected() {
        return unconnected;
    }

    /** The last that has been heard since the last reply; null if nothing. */
    @Nullable
    Throwable lastFailure() {
        return lastFailure;
    }

    /** Whether the last request was not answered at all. */
    boolean isSilent() {
        return silentSince || lastFailure == null;
    }
}
