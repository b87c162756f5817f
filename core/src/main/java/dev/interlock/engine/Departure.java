package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One claim on its way out of the store; see {@link Departures}. Its own monitor guards it; nothing is called under it. */
final class Departure {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(2).toNanos();

    private final EngineCore core;
    private final Departures departures;
    private final Claim claim;
    private final long untilNanos;

    @GuardedBy("this")
    private boolean outcomeKnown;

    @GuardedBy("this")
    private int attempts;

    @GuardedBy("this")
    private long dueNanos;

    /** It was heard that the claim stands while a release was under way, which the store may have executed before that. */
    @GuardedBy("this")
    private boolean stoodMeanwhile;

    /** The last release was answered, if only by "not there". */
    @GuardedBy("this")
    private boolean isAnswered;

    @GuardedBy("this")
    private @Nullable CompletableFuture<Boolean> inFlight;

    /** Whether it was held before the acquire whose outcome is not known. */
    private final boolean heldBefore;

    Departure(
            EngineCore core,
            Departures departures,
            Claim claim,
            long untilNanos,
            boolean outcomeKnown,
            boolean heldBefore) {
        this.heldBefore = heldBefore;
        this.core = core;
        this.departures = departures;
        this.claim = claim;
        this.untilNanos = untilNanos;
        this.outcomeKnown = outcomeKnown;
    }

    Claim claim() {
        return claim;
    }

    /** Whether the store has answered the last release: all that can be waited for. */
    synchronized boolean isAnswered() {
        return isAnswered;
    }

    /** Sends a release. */
    void attempt() {
        synchronized (this) {
            attempts++;
            isAnswered = false;
            dueNanos = core.now() + core.patienceNanos();
            core.arm(dueNanos);
        }
        CompletableFuture<Boolean> sent = core.releaseInStore(claim);
        synchronized (this) {
            inFlight = sent;
        }
        var unused = sent.whenComplete((held, error) -> answered(sent, held, error));
    }

    /** The acquire's own answer came: if it says that the claim stands, that may have come after our release. */
    void acquireAnswered(boolean stands, boolean known) {
        boolean again;
        synchronized (this) {
            outcomeKnown |= known;
            again = stands && inFlight == null;
            stoodMeanwhile = stands && inFlight != null;
        }
        if (again) {
            attempt();
        }
    }

    /** Gives up a release that is not answered, and tries again when its pause is over; returns when it wants to be called next. */
    long tick(long nowNanos) {
        CompletableFuture<Boolean> overdue;
        synchronized (this) {
            if (nowNanos < dueNanos) {
                return dueNanos;
            }
            overdue = inFlight;
            inFlight = null;
        }
        if (overdue != null) {
            overdue.cancel(false);
        }
        if (nowNanos >= untilNanos) {
            departures.done(this);
            return Waiter.FOREVER;
        }
        attempt();
        return nowNanos + core.patienceNanos();
    }

    private void answered(CompletableFuture<Boolean> answered, @Nullable Boolean held, @Nullable Throwable error) {
        boolean done;
        synchronized (this) {
            if (inFlight != answered) {
                return;
            }
            inFlight = null;
            isAnswered = error == null;
            boolean gone = Boolean.TRUE.equals(held);
            done = error == null && (outcomeKnown ? gone || !stoodMeanwhile : gone && !heldBefore);
            stoodMeanwhile = false;
            dueNanos = core.now() + Math.min(MAX_BACKOFF_NANOS, MIN_BACKOFF_NANOS << Math.min(attempts, 10));
            core.arm(dueNanos);
        }
        if (done) {
            departures.done(this);
        }
    }
}
