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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A claim that nobody here relies on any more. It is released again and again until the store confirms that nothing of
 * it is left, or until its lease would have ended; see {@link PendingReleases}. A store that is silent may execute an
 * earlier acquire when it goes on: so, as long as it is, the lease would begin anew.
 *
 * <pre>
 *   NEW           -> RELEASING      the first release is sent
 *   RELEASING     -> RELEASING      the first one failed, or a reply has not arrived in time
 *                 -> OVERTAKEN      the reply to the acquire arrives: the claim stands
 *                 -> PAUSED         a later one failed
 *                 -> ANSWERED       the reply is not final: an acquire is under way
 *                 -> FINDING_CAUSE  the claim was held until now, and is not there
 *                 -> DONE           the reply is final, or the lease would have ended
 *   OVERTAKEN     -> RELEASING      the reply is not final, or has not arrived in time
 *                 -> PAUSED         the release failed
 *                 -> DONE           the reply is final, or the lease would have ended
 *   PAUSED        -> RELEASING      the pause is over, or the acquire is answered: the claim stands
 *                 -> DONE           the lease would have ended
 *   ANSWERED      -> RELEASING      as PAUSED
 *                 -> DONE           as PAUSED
 *   FINDING_CAUSE -> DONE           the cause is known, or is not reported in time
 * </pre>
 *
 * <p>A claim may be left to lapse instead. Then each request says how much of the time is left; when that is over, what
 * follows are releases, in case the store has never got to know.
 *
 * <p>If the claim was held until now, its holder wants to know the outcome. It is settled once: by the reply to the
 * first release, or to the second one if the first has failed; if the reply to the first is "not there", by the cause
 * that a renewal reports; or by the end of the time that each of these requests has.
 *
 * <p>Thread-safe. Its own monitor guards it, and from {@link ClaimLife#attach} on the claim that was held. Under the
 * monitor it only arms the supervisor: requests are sent and futures are completed outside.
 */
final class PendingRelease implements ClaimLife.Guard {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(50).toNanos();

    /** As for an acquire: whoever waits for the lock waits for its release when the store is back. */
    private static final long QUICK_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    /** For about ten seconds. What is still to be released then may be much, and be what the store suffers from. */
    private static final int QUICK_REPETITIONS = 24;

    private static final long MAX_BACKOFF_NANOS = Duration.ofSeconds(2).toNanos();

    /** The longest pause if the store has replied: a request that is still under way may be found that much later. */
    private static final long MAX_ANSWERED_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    /** No store lists a waiting claim for longer unless it asks again. */
    private static final long LISTED_NANOS = Duration.ofMinutes(1).toNanos();

    /** No store keeps the place of a claim in order, or that of one that waits, for longer, however short its lease. */
    private static final long PLACE_NANOS = Duration.ofSeconds(10).toNanos();

    /** For how long a silent store is asked. If it executes an acquire even later, it keeps the claim for its lease. */
    private static final long SILENCE_NANOS = Duration.ofMinutes(15).toNanos();

    /** An earlier request that the store may execute after a release, so that the claim stands again. */
    enum Outstanding {
        /** There is none: "not there" is final. */
        NOTHING,
        /** The first acquire of a claim: "it was there" is final, "not there" may mean "not there yet". */
        ACQUIRE,
        /**
         * One more acquire of a claim that was held, or listed, so that a release of another client may have granted it
         * since: even "it was there" may be said of what was there before.
         */
        FURTHER_ACQUIRE
    }

    private final StoreClient store;
    private final Supervisor supervisor;
    private final Consumer<PendingRelease> whenDone;
    private final Claim claim;

    /** For how long the store keeps the claim after it has executed an acquire. */
    private final long keptNanos;

    /** The latest that {@link #untilNanos} can be. */
    private final long lastNanos;

    /** Until when the claim is left to lapse; 0 if it is released. */
    private final long leftUntilNanos;

    private final CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();

    @GuardedBy("this")
    private ReleaseState state = ReleaseState.NEW;

    @GuardedBy("this")
    private Outstanding outstanding;

    /** When the store has forgotten the claim by itself. */
    @GuardedBy("this")
    private long untilNanos;

    /** How often it was tried, since the store was silent last. */
    @GuardedBy("this")
    private int attempts;

    /** How often it was tried in all. */
    @GuardedBy("this")
    private int repetitions;

    /** Whether the store has not answered the last release. */
    @GuardedBy("this")
    private boolean silent;

    /** Whether the first request has failed, so that "not there" does not say who has ended the claim. */
    @GuardedBy("this")
    private boolean repeated;

    /** Whether the server has answered the last release, with a refusal. */
    @GuardedBy("this")
    private boolean refused;

    /** When the request under way is given up, or the pause is over. */
    @GuardedBy("this")
    private long dueNanos = EngineClock.NEVER;

    /** The request under way; the reply to any other comes too late. */
    @GuardedBy("this")
    private @Nullable CompletableFuture<?> request;

    /** When the store said that the claim is not there, which is still to be explained. */
    @GuardedBy("this")
    private long missedNanos;

    /** The claim that was held until now; null if nobody wants to know the outcome, or once it is settled. */
    @GuardedBy("this")
    private @Nullable ClaimLife unsettled;

    /** For a claim whose outcome nobody waits for. */
    PendingRelease(
            StoreClient store,
            Supervisor supervisor,
            Claim claim,
            long untilNanos,
            Outstanding outstanding,
            Consumer<PendingRelease> whenDone) {
        this(store, supervisor, claim, untilNanos, 0, outstanding, whenDone);
    }

    private PendingRelease(
            StoreClient store,
            Supervisor supervisor,
            Claim claim,
            long untilNanos,
            long leftUntilNanos,
            Outstanding outstanding,
            Consumer<PendingRelease> whenDone) {
        this.store = store;
        this.supervisor = supervisor;
        this.whenDone = whenDone;
        this.claim = claim;
        long now = store.clock().now();
        long forgotten = claim.mode().holds() ? untilNanos : Math.min(untilNanos, now + LISTED_NANOS);
        boolean hasPlace = claim.mode().inOrder() || claim.waited() != null;
        long kept = claim.mode().holds() ? claim.lease().toNanos() : LISTED_NANOS;
        this.untilNanos = hasPlace ? Math.max(forgotten, now + PLACE_NANOS) : forgotten;
        this.keptNanos = hasPlace ? Math.max(kept, PLACE_NANOS) : kept;
        this.lastNanos = this.untilNanos + SILENCE_NANOS;
        this.leftUntilNanos = leftUntilNanos;
        this.outstanding = outstanding;
    }

    /**
     * For a claim that was held until now, which this guards from here on; left to lapse until a moment, or released.
     */
    PendingRelease(
            StoreClient store,
            Supervisor supervisor,
            ClaimLife released,
            long leftUntilNanos,
            Consumer<PendingRelease> whenDone) {
        this(
                store,
                supervisor,
                released.claim(),
                Math.max(released.endsInStoreNanos(), leftUntilNanos),
                leftUntilNanos,
                Outstanding.NOTHING,
                whenDone);
        released.attach(this);
        this.unsettled = released;
    }

    Claim claim() {
        return claim;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return Thread.holdsLock(this);
    }

    synchronized ReleaseState state() {
        return state;
    }

    /** Whether the store has replied to the last release: closing the client waits for no more. */
    synchronized boolean isAnswered() {
        return state == ReleaseState.ANSWERED
                || state == ReleaseState.DONE
                || (state == ReleaseState.PAUSED && refused);
    }

    // ---- the release

    /**
     * Sends the first release.
     *
     * @param lent whether the calling thread waits for the reply anyway, so that the store may use it
     */
    void start(boolean lent) {
        transition(ReleaseState.RELEASING, "first release");
        send(lent);
    }

    private void send(boolean lent) {
        long now = store.clock().now();
        synchronized (this) {
            attempts++;
            repetitions++;
            if (unsettled == null) {
                dueNanos = now + store.timeouts().replyNanos();
            } else if (!repeated) {
                dueNanos = now + store.timeouts().attemptNanos();
            }
            supervisor.arm(dueNanos);
        }
        Claim toRelease = leftUntilNanos > now ? claim.lapsing(Duration.ofNanos(leftUntilNanos - now)) : claim;
        CompletableFuture<Boolean> sent = store.release(toRelease, lent);
        synchronized (this) {
            request = sent;
        }
        var unused = sent.whenComplete((held, error) -> onReleaseReply(sent, held, error));
    }

    /**
     * The reply to an acquire of this claim has arrived after all.
     *
     * @param stands whether the store has the claim then, held or listed; implies {@code known}
     * @param known whether the reply says what the store has done
     * @return false if this is done, and does not look after the claim any more
     */
    boolean onAcquireReply(boolean stands, boolean known) {
        synchronized (this) {
            if (state == ReleaseState.DONE) {
                return false;
            }
            if (stands && state == ReleaseState.RELEASING) {
                // What the store has executed first is not known before the reply to the release.
                transition(ReleaseState.OVERTAKEN, "the claim stands");
                return true;
            }
            if (known) {
                outstanding = Outstanding.NOTHING;
            }
            if (!stands || !isPausing()) {
                return true;
            }
            transition(ReleaseState.RELEASING, "the claim stands");
        }
        send(false);
        return true;
    }

    /** An acquire that is under way may be executed when the store goes on: the claim is kept from that moment on. */
    @GuardedBy("this")
    private void storeIsSilent(long nowNanos) {
        silent = true;
        if (outstanding != Outstanding.NOTHING) {
            untilNanos = Math.max(untilNanos, Math.min(nowNanos + keptNanos, lastNanos));
        }
    }

    @GuardedBy("this")
    private boolean isPausing() {
        return state == ReleaseState.PAUSED || state == ReleaseState.ANSWERED;
    }

    /**
     * Gives up a request that was not answered in time, and sends the next release when its pause is over; returns when
     * it wants to be called next.
     */
    long tick(long nowNanos) {
        CompletableFuture<?> overdue;
        ReleaseOutcome known;
        boolean over;
        synchronized (this) {
            if (state == ReleaseState.DONE) {
                return EngineClock.NEVER;
            }
            if (nowNanos < dueNanos) {
                return dueNanos;
            }
            // From here on its reply comes too late.
            overdue = request;
            request = null;
            if (overdue != null) {
                storeIsSilent(nowNanos);
            }
            known = outcomeSoFar();
            over = state == ReleaseState.FINDING_CAUSE || nowNanos >= untilNanos;
            transition(over ? ReleaseState.DONE : ReleaseState.RELEASING, "time is over");
        }
        if (overdue != null) {
            overdue.cancel(false);
        }
        settle(known);
        if (over) {
            whenDone.accept(this);
            return EngineClock.NEVER;
        }
        send(false);
        return nowNanos + store.timeouts().replyNanos();
    }

    private void onReleaseReply(CompletableFuture<Boolean> sent, @Nullable Boolean held, @Nullable Throwable error) {
        store.ended(error, store.clock().now());
        boolean gone = Boolean.TRUE.equals(held);
        boolean again;
        ReleaseState next;
        synchronized (this) {
            if (request != sent) {
                return;
            }
            request = null;
            refused = store.isRefusal(error);
            if (error == null || refused) {
                // What it was sent while it was silent may be executed just after this.
                attempts = silent ? 1 : attempts;
                silent = false;
            } else {
                storeIsSilent(store.clock().now());
            }
            next = error == null ? afterReply(gone) : afterFailure();
            transition(next, error == null ? "reply" : "failure");
            again = error != null && unsettled != null && !repeated;
            repeated |= again;
            if (isPausing()) {
                long longest = error == null ? MAX_ANSWERED_PAUSE_NANOS : longestBackoff();
                long pauseEnd = store.clock().now() + Math.min(longest, MIN_BACKOFF_NANOS << Math.min(attempts, 10));
                dueNanos = Math.min(pauseEnd, Math.max(store.clock().now(), untilNanos));
                supervisor.arm(dueNanos);
            } else if (next == ReleaseState.FINDING_CAUSE) {
                missedNanos = store.clock().now();
                dueNanos = missedNanos + store.timeouts().attemptNanos();
                supervisor.arm(dueNanos);
            }
        }
        if (next == ReleaseState.FINDING_CAUSE) {
            findCause();
            return;
        }
        if (!again) {
            settle(gone ? ReleaseOutcome.RELEASED : ReleaseOutcome.UNCONFIRMED);
        }
        if (next == ReleaseState.DONE) {
            whenDone.accept(this);
        } else if (next == ReleaseState.RELEASING) {
            send(false);
        }
    }

    @GuardedBy("this")
    private long longestBackoff() {
        return repetitions < QUICK_REPETITIONS ? QUICK_BACKOFF_NANOS : MAX_BACKOFF_NANOS;
    }

    @GuardedBy("this")
    private ReleaseState afterReply(boolean gone) {
        if (gone && outstanding != Outstanding.FURTHER_ACQUIRE) {
            return ReleaseState.DONE;
        }
        if (state == ReleaseState.OVERTAKEN) {
            return ReleaseState.RELEASING;
        }
        if (outstanding != Outstanding.NOTHING) {
            return ReleaseState.ANSWERED;
        }
        return unsettled == null || repeated ? ReleaseState.DONE : ReleaseState.FINDING_CAUSE;
    }

    /**
     * The next try does not wait if a holder waits for the outcome: a server or a proxy may have ended a connection
     * that was idle. If that fails, too, the holder is told that the release is not confirmed.
     */
    @GuardedBy("this")
    private ReleaseState afterFailure() {
        return unsettled == null || repeated ? ReleaseState.PAUSED : ReleaseState.RELEASING;
    }

    /** Moves to another state; refuses a move that the table of {@link ReleaseState} does not have. */
    synchronized void transition(ReleaseState to, String reason) {
        if (!state.next().contains(to)) {
            throw new IllegalStateException(
                    "A pending release cannot go from " + state + " to " + to + " (" + reason + "): " + claim);
        }
        if (state == ReleaseState.OVERTAKEN) {
            // The reply to the acquire has arrived; a release that is sent from now on is executed after it.
            outstanding = Outstanding.NOTHING;
        }
        state = to;
    }

    // ---- its outcome

    /** Is completed in time without the store's help, on any thread; so it is not for the user. */
    CompletableFuture<ReleaseOutcome> outcome() {
        return outcome;
    }

    /** Asks why a claim that we relied on is not there: by a renewal, which cannot bring it back. */
    private void findCause() {
        CompletableFuture<Map<Claim, Renewal>> sent = store.renew(List.of(claim));
        synchronized (this) {
            request = sent;
        }
        var unused = sent.whenComplete((answers, error) -> {
            Renewal answer = answers == null ? null : answers.get(claim);
            ReleaseOutcome known;
            synchronized (this) {
                // Held: an acquire of it was executed late.
                known = lost(answer == null || answer == Renewal.HELD ? Renewal.DELETED : answer);
            }
            settle(known);
            synchronized (this) {
                if (state != ReleaseState.DONE) {
                    transition(ReleaseState.DONE, "cause known");
                }
            }
            whenDone.accept(this);
        });
    }

    /** The client closes, and waits for nothing more: what is known now is the outcome. */
    void conclude() {
        ReleaseOutcome known;
        synchronized (this) {
            known = outcomeSoFar();
        }
        settle(known);
    }

    @GuardedBy("this")
    private ReleaseOutcome outcomeSoFar() {
        return state == ReleaseState.FINDING_CAUSE ? lost(Renewal.DELETED) : ReleaseOutcome.UNCONFIRMED;
    }

    @GuardedBy("this")
    private ReleaseOutcome lost(Renewal answer) {
        ClaimLife released = unsettled;
        return ReleaseOutcome.lost(released == null ? answer.cause() : released.causeOfAbsence(answer, missedNanos));
    }

    /** Does nothing if the outcome is settled: the first one counts. */
    private void settle(ReleaseOutcome known) {
        synchronized (this) {
            ClaimLife released = unsettled;
            if (released == null) {
                return;
            }
            unsettled = null;
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
