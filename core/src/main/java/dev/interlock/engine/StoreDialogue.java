package dev.interlock.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one arbiter and the store have said to each other lately: since when it is asked, when it last answered, how it
 * fails, and when to ask again. Not thread-safe: guarded by the arbiter's monitor.
 */
final class StoreDialogue {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    private long answeredNanos = Long.MIN_VALUE;

    /** Since when it has been asked without an answer: while nobody asks it is not silent. */
    private long unansweredSinceNanos = Waiter.FOREVER;

    private int failures;
    private long askAgainNanos;
    private @Nullable Throwable failure;

    /** Since when it has been asked without a grant: the place in its list counts from here. */
    private long waitingSinceNanos = Waiter.FOREVER;

    /** When a waiting claim stops waiting for a wake and asks by itself. */
    private long pollAtNanos = Waiter.FOREVER;

    /** A wake came while an acquire was under way, whose answer may be older than the wake. */
    private boolean woken;

    /**
     * It will be asked for a new claim, for a caller who came then: the time that others have waited, and given up, is
     * not theirs.
     */
    void askedAnew(long comeNanos) {
        if (waitingSinceNanos != Waiter.FOREVER) {
            waitingSinceNanos = Math.max(waitingSinceNanos, comeNanos);
        }
    }

    /** It is asked now; returns for how long the claim has waited. */
    Duration asked(long now) {
        woken = false;
        pollAtNanos = Waiter.FOREVER;
        if (waitingSinceNanos == Waiter.FOREVER) {
            waitingSinceNanos = now;
        }
        unansweredSinceNanos = Math.min(unansweredSinceNanos, now);
        return Duration.ofNanos(now - waitingSinceNanos);
    }

    void granted(long now) {
        answered(now);
        waitingSinceNanos = Waiter.FOREVER;
    }

    /** It said busy, so long after it was asked; a claim that it has listed asks again then, at the latest. */
    void busy(Duration retryAfter, long tookNanos, long now, EngineCore core) {
        answered(now);
        long pause = Math.min(Durations.nanos(retryAfter), core.jitteredPollCap());
        // A store that has more to do than it can is not asked more often than it answers. This answer counts, not the
        // slowest of late: that may be the first, which had to connect, and keep others from what has come free.
        pollAtNanos = now + Math.max(pause, Math.min(tookNanos, core.patienceNanos()));
    }

    void wokenWhileAsking() {
        woken = true;
    }

    /** Whether a wake overtook the last answer. */
    boolean isWoken() {
        return woken;
    }

    long pollAtNanos() {
        return pollAtNanos;
    }

    /** It said something that can be understood. */
    private void answered(long now) {
        answeredNanos = now;
        unansweredSinceNanos = Waiter.FOREVER;
        failures = 0;
        failure = null;
    }

    /** It did not; each further failure doubles the pause until it is asked again. */
    void failed(@Nullable Throwable error, long now, EngineCore core) {
        failure = error;
        long backoff = Math.min(MAX_BACKOFF_NANOS, MIN_BACKOFF_NANOS << Math.min(failures, 10));
        failures++;
        askAgainNanos = now + core.jittered(backoff);
    }

    boolean isFailing() {
        return failures > 0;
    }

    boolean mayAsk(long now) {
        return failures == 0 || now >= askAgainNanos;
    }

    long askAgainNanos() {
        return askAgainNanos;
    }

    boolean hasAnsweredSince(long nanos) {
        return answeredNanos >= nanos;
    }

    /** Since when it has been silent to a caller who came then. */
    long silentSinceNanos(long comeNanos) {
        return Math.max(unansweredSinceNanos, comeNanos);
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
