package dev.interlock.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the store has said to one arbiter lately: when it last answered, and how it fails. Not thread-safe: guarded by the arbiter's monitor. */
final class StoreAnswers {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    private long answeredNanos = Long.MIN_VALUE;
    private int failures;
    private long askAgainNanos;
    private @Nullable Throwable failure;

    /** It said something that can be understood. */
    void answered(long now) {
        answeredNanos = now;
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

    /** For how long it has been silent to a caller who came then. */
    long silentForNanos(long sinceNanos, long now) {
        return now - Math.max(answeredNanos, sinceNanos);
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
