package dev.interlock.engine;

import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Succession;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the present claim of a name comes to be held: it is asked for on behalf of the first in the queue, waits in the
 * store's list, asks again, and is granted, given up or lost sight of. What follows from that is for the
 * {@link Arbitration} to say. Not thread-safe: the arbiter's monitor guards it.
 */
final class Asking {

    private final EngineCore core;
    private final Arbiter arbiter;
    private final StoreDialogue store;
    private final CallerQueue queue;
    private final Tenures tenures;

    Asking(EngineCore core, Arbiter arbiter, StoreDialogue store, CallerQueue queue, Tenures tenures) {
        this.core = core;
        this.arbiter = arbiter;
        this.store = store;
        this.queue = queue;
        this.tenures = tenures;
    }

    // ---- questions

    /** Whether the store failed a moment ago. */
    boolean mustPause(long now) {
        return !store.mayAsk(now);
    }

    /** Asks for a new claim, for the first in the queue; it takes the place of another if one is given. */
    void askAnew(@Nullable ClaimLife replaced, long now, Effects effects) {
        Waiter next = queue.first();
        store.askedAnew(next.startNanos());
        ClaimLife life = new ClaimLife(core.newClaim(next.request(), next.threadName()), replaced, arbiter);
        Tenure fresh = new Tenure(core, arbiter, life);
        tenures.present(fresh);
        ask(fresh, now, effects);
    }

    /** Gives others in the store their turn and lines up again, in one request. */
    void replace(Tenure held, long now, Effects effects) {
        held.life().releasing();
        if (held.isUnsure()) {
            tenures.takeBack(held, effects);
            askAnew(null, now, effects);
        } else {
            askAnew(held.life(), now, effects);
        }
    }

    /** The first in the queue is not whom the waiting claim was asked for, and wants something else. */
    void askOtherwise(Tenure waiting, long now, Effects effects) {
        if (waiting.isForPermits()) {
            // Its place in the line was for so many permits.
            leave(waiting, effects);
            askAnew(null, now, effects);
        } else {
            ask(waiting, now, effects);
        }
    }

    void ask(Tenure asked, long now, Effects effects) {
        Waiter next = queue.first();
        Duration waited = store.asked(now);
        Claim claim = asked.life().claim().withLease(next.term().length());
        if (asked.isShared() != next.isShared()) {
            // Whom it was asked for has given up, and the next one wants something else.
            claim = claim.inMode(next.request().mode());
        }
        if (!next.once()) {
            claim = claim.waiting(waited).withTicket(maySucceed(claim, next) ? core.newTicket() : 0);
        }
        asked.life().ask(claim, now);
        effects.ask(asked.life());
        core.events().asked(claim, effects);
    }

    /** Whether the claim may be granted while it waits. */
    private static boolean maySucceed(Claim claim, Waiter next) {
        return claim.id().kind() == LockKind.LOCK
                && claim.mode().inOrder()
                && next.term().isRenewing();
    }

    /** What became due: an answer that is not coming, a claim that was not woken. */
    void tick(long now, Effects effects) {
        Tenure asked = tenures.present();
        if (asked == null) {
            return;
        }
        if (asked.isIn(ClaimState.ASKING) && now - asked.life().sentNanos() >= core.patienceNanos()) {
            failed(asked, null, now, effects);
        } else if (asked.isIn(ClaimState.WAITING) && now >= store.pollAtNanos() && !queue.isEmpty()) {
            ask(asked, now, effects);
        }
    }

    /** When something is due next. */
    long dueNanos() {
        Tenure asked = tenures.present();
        if (asked == null) {
            return queue.isEmpty() ? Waiter.FOREVER : store.askAgainNanos();
        }
        if (asked.isIn(ClaimState.ASKING)) {
            return asked.life().sentNanos() + core.patienceNanos();
        }
        return asked.isIn(ClaimState.WAITING) ? store.pollAtNanos() : Waiter.FOREVER;
    }

    // ---- answers

    void answered(ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error, long now, Effects effects) {
        if (error == null) {
            asked.inFlight(null);
            core.answeredAfter(now - asked.sentNanos());
        }
        Tenure tenure = tenures.of(asked);
        if (tenure == null || asked.state() != ClaimState.ASKING) {
            // Nobody waited for it any more. It is being taken back, and what the store did with it is known now.
            boolean stands = attempt instanceof Attempt.Granted
                    || (attempt instanceof Attempt.Busy && asked.claim().waited() != null);
            effects.also(() -> core.pendingReleases().onAcquireReply(asked.claim(), stands, error == null));
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(tenure, granted, now, effects);
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(tenure, busy.retryAfter(), now, effects);
        } else {
            failed(tenure, error, now, effects);
        }
    }

    private void granted(Tenure asked, Attempt.Granted answer, long now, Effects effects) {
        if (!Attempt.isFence(answer.fence())) {
            IllegalStateException refusal = new IllegalStateException("The store granted lock '"
                    + asked.life().claim().id().name() + "' with a fence that makes no token: fence=" + answer.fence());
            failed(asked, refusal, now, effects);
            return;
        }
        store.granted(now);
        if (!asked.life().granted(answer.fence(), answer.tether(), now)) {
            tenures.takeBack(asked, effects);
        }
    }

    private void busy(Tenure asked, Duration retryAfter, long now, Effects effects) {
        store.busy(retryAfter, now - asked.life().sentNanos(), now, core);
        boolean listed = asked.life().claim().waited() != null;
        asked.life().busy(listed);
        queue.endSingleAttempts(now, effects);
        if (!listed) {
            tenures.drop(asked);
        } else if (store.isWoken() && !queue.isEmpty()) {
            ask(asked, now, effects);
        }
    }

    private void failed(Tenure asked, @Nullable Throwable error, long now, Effects effects) {
        asked.life().unknown("no answer");
        tenures.drop(asked);
        takeBackUnknown(asked.life(), effects);
        store.failed(error, now, core);
        Supplier<RuntimeException> refusal = Refusals.of(LockStore.causeOf(error));
        if (refusal != null) {
            queue.endAllInMode(asked.life().claim().mode(), refusal, now, effects);
        }
        queue.endSingleAttempts(now, effects);
    }

    /**
     * The store says that the name may be free for the claim of this owner, which may be an earlier one than the
     * present; null: for any. Or that it is granted.
     */
    void wake(@Nullable OwnerId owner, @Nullable Succession succession, long now, Effects effects) {
        Tenure waiting = tenures.present();
        if (waiting == null
                || (owner != null && !owner.equals(waiting.life().claim().owner()))) {
            return;
        }
        if (!waiting.isIn(ClaimState.WAITING) || queue.isEmpty()) {
            store.wokenWhileAsking();
        } else if (succession != null && succeeds(waiting, succession, now)) {
            store.granted(now);
        } else {
            ask(waiting, now, effects);
        }
    }

    /** Whoever has a fixed term asks: its whole lease is to begin with the grant. */
    private boolean succeeds(Tenure waiting, Succession succession, long now) {
        Waiter next = queue.first();
        return waiting.isFor(next) && next.term().isRenewing() && waiting.life().succeed(succession, now);
    }

    // ---- the end

    /** Nobody waits for the claim any more. */
    void leave(Tenure left, Effects effects) {
        ClaimLife life = left.life();
        tenures.drop(left);
        if (life.state() == ClaimState.WAITING) {
            life.releasing();
            effects.release(core.pendingReleases(), life.claim(), life.endsInStoreNanos(), Outstanding.NOTHING);
        } else {
            life.unknown("nobody waits for the answer");
            takeBackUnknown(life, effects);
        }
    }

    private void takeBackUnknown(ClaimLife asked, Effects effects) {
        effects.giveUp(core.pendingReleases(), asked);
        ClaimLife replaced = asked.replaced();
        if (replaced != null) {
            effects.release(core.pendingReleases(), replaced.claim(), replaced.endsInStoreNanos(), Outstanding.NOTHING);
        }
    }
}
