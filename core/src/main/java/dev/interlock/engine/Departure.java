package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One claim on its way out of the store; see {@link Departures}. Its own monitor guards it; nothing is called under it.
 *
 * <p>If it was held until now, somebody wants to know the outcome, which is settled once: by the answer to the first
 * release; if that is "not there", by the cause that a renewal is told; or by the end of the time that each of the two
 * has.
 */
final class Departure {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(2).toNanos();

    /**
     * The same for a store that has answered that the claim is not there: a request that is still on its way is found
     * after as long again.
     */
    private static final long MAX_LOOKS_NANOS = Duration.ofMinutes(1).toNanos();

    /** For how long a claim that can only wait is looked for: no store lists one for longer that does not ask again. */
    private static final long LISTED_NANOS = Duration.ofMinutes(1).toNanos();

    private final EngineCore core;
    private final Departures departures;
    private final Claim claim;
    private final long untilNanos;

    /** The claim that was held until now; null if nobody wants to know the outcome, or once it is settled. */
    @GuardedBy("this")
    private @Nullable ClaimLife settling;

    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();

    @GuardedBy("this")
    private boolean outcomeKnown;

    @GuardedBy("this")
    private int attempts;

    @GuardedBy("this")
    private long dueNanos = Waiter.FOREVER;

    /**
     * It was heard that the claim stands while a release was under way, which the store may have executed before that.
     */
    @GuardedBy("this")
    private boolean stoodMeanwhile;

    /** The last release was answered, if only by "not there". */
    @GuardedBy("this")
    private boolean isAnswered;

    /** The store does not have it, and is asked why. */
    @GuardedBy("this")
    private boolean isAbsent;

    @GuardedBy("this")
    private @Nullable CompletableFuture<?> inFlight;

    /** Whether it was held before the acquire whose outcome is not known. */
    private final boolean heldBefore;

    /** Of a claim that nobody asks for any more. */
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
        this.untilNanos = claim.mode().holds() ? untilNanos : Math.min(untilNanos, core.now() + LISTED_NANOS);
        this.outcomeKnown = outcomeKnown;
    }

    /** Of a claim that was held until now. */
    Departure(EngineCore core, Departures departures, ClaimLife released) {
        this(core, departures, released.claim(), released.endsInStoreNanos(), true, false);
        this.settling = released;
    }

    Claim claim() {
        return claim;
    }

    /** Whether the store has answered the last release: all that can be waited for. */
    synchronized boolean isAnswered() {
        return isAnswered;
    }

    // ---- the release

    /** Sends a release, or does it on this thread, if that waits for the answer anyway. */
    void attempt(boolean lent) {
        synchronized (this) {
            attempts++;
            isAnswered = false;
            dueNanos = core.now() + (settling == null ? core.patienceNanos() : core.attemptTimeoutNanos());
            core.arm(dueNanos);
        }
        CompletableFuture<Boolean> sent = core.releaseInStore(claim, lent);
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
            attempt(false);
        }
    }

    /**
     * Gives up a release that is not answered, and tries again when its pause is over; returns when it wants to be
     * called next.
     */
    long tick(long nowNanos) {
        CompletableFuture<?> overdue;
        boolean absent;
        synchronized (this) {
            if (nowNanos < dueNanos) {
                return dueNanos;
            }
            overdue = inFlight;
            inFlight = null;
            absent = isAbsent;
        }
        if (overdue != null) {
            overdue.cancel(false);
        }
        conclude();
        if (absent || nowNanos >= untilNanos) {
            departures.done(this);
            return Waiter.FOREVER;
        }
        attempt(false);
        return nowNanos + core.patienceNanos();
    }

    private void answered(CompletableFuture<Boolean> answered, @Nullable Boolean held, @Nullable Throwable error) {
        boolean done;
        boolean first;
        boolean again;
        boolean gone = Boolean.TRUE.equals(held);
        synchronized (this) {
            if (inFlight != answered) {
                return;
            }
            inFlight = null;
            first = settling != null;
            isAnswered = error == null && (gone || !first);
            // What was there may be what was held before, and the acquire have come behind the release all the same.
            done = error == null && ((outcomeKnown && !stoodMeanwhile) || (gone && !heldBefore));
            again = !done && (first || (error == null && stoodMeanwhile));
            stoodMeanwhile = false;
            long longest = error == null ? MAX_LOOKS_NANOS : MAX_BACKOFF_NANOS;
            long next = core.now() + Math.min(longest, MIN_BACKOFF_NANOS << Math.min(attempts, 10));
            dueNanos = Math.min(next, Math.max(core.now(), untilNanos));
            if (!done) {
                core.arm(dueNanos);
            }
        }
        if (first && error == null && !gone) {
            askForCause();
            return;
        }
        settle(gone ? ReleaseOutcome.RELEASED : ReleaseOutcome.UNCONFIRMED);
        if (done) {
            departures.done(this);
        } else if (again) {
            attempt(false);
        }
    }

    // ---- its outcome

    /**
     * Known without the answer of the store in time at the latest; not for the user, since it completes on any thread.
     */
    CompletableFuture<ReleaseOutcome> outcome() {
        return outcome;
    }

    /** Why a claim that we relied on is not there: asked for by renewing it, which cannot bring it back. */
    private void askForCause() {
        CompletableFuture<Map<Claim, Renewal>> asked = core.renew(List.of(claim));
        synchronized (this) {
            isAbsent = true;
            inFlight = asked;
            dueNanos = core.now() + core.attemptTimeoutNanos();
            core.arm(dueNanos);
        }
        var unused = asked.whenComplete((answers, error) -> {
            Renewal answer = answers == null ? null : answers.get(claim);
            settle(ReleaseOutcome.lost(answer == null ? LossCause.DELETED : answer.cause()));
            departures.done(this);
        });
    }

    /** Nothing more is waited for: what is known is the outcome. */
    void conclude() {
        boolean absent;
        synchronized (this) {
            absent = isAbsent;
        }
        settle(absent ? ReleaseOutcome.lost(LossCause.DELETED) : ReleaseOutcome.UNCONFIRMED);
    }

    private void settle(ReleaseOutcome known) {
        synchronized (this) {
            ClaimLife released = settling;
            if (released == null) {
                return;
            }
            settling = null;
            LossCause cause = known.lossCause();
            if (cause != null) {
                released.lose(cause);
            } else if (known.status() == ReleaseOutcome.Status.RELEASED) {
                released.released();
            } else {
                released.unknown("release not confirmed");
            }
        }
        outcome.complete(known);
    }
}
