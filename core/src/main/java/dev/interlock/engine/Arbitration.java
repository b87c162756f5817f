package dev.interlock.engine;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the lock of one name in this process: a state machine without threads or I/O. Time is an argument; what has to be done outside is put into
 * {@link Effects}. Not thread-safe: the arbiter's monitor guards it.
 *
 * <pre>
 *   callers -> [ queue, first in first out ] -> the holder's lease, number 0, 1, 2 ...
 *                                                 |  of
 *                                                 v
 *                                         one claim in the store
 * </pre>
 *
 * <p>Whatever happens (a caller comes or goes, the store answers, a lease ends, time passes) changes the state and then asks {@link #step} what follows:
 *
 * <ol>
 *   <li>no claim, nobody queued: the arbiter retires; no state is kept for an idle name
 *   <li>no claim, somebody queued: ask the store, unless it failed a moment ago
 *   <li>a claim that waits or is asked for, nobody queued: take it back
 *   <li>a claim that is held, without a lease on it: give it to the first in the queue, or back to the store
 *   <li>anything else: wait for the next event
 * </ol>
 *
 * <p>When a holder lets go and somebody is queued, the claim passes on inside the process, at no cost but a larger token. After a bounded number or time of
 * such hand-overs it is <em>replaced</em>: one acquire that ends the old claim, lets others in the store go first, and lines up again.
 */
final class Arbitration {

    private final EngineCore core;
    private final Arbiter arbiter;
    private final LockId id;
    private final StoreDialogue store = new StoreDialogue();
    private final CallerQueue queue;
    private final Turn turn = new Turn();

    private boolean retired;

    /** The claim in the store, from the first request to its last lease; null if there is none. */
    private @Nullable ClaimLife life;

    /** The lease of the present holder; null if nobody holds. */
    private @Nullable EngineLease lease;

    Arbitration(EngineCore core, Arbiter arbiter, LockId id) {
        this.core = core;
        this.arbiter = arbiter;
        this.id = id;
        this.queue = new CallerQueue(core, id, store);
    }

    boolean isRetired() {
        return retired;
    }

    @Nullable
    EngineLease lease() {
        return lease;
    }

    // ---- callers

    void submit(Waiter waiter, long now, Effects effects) {
        if (core.isClosed()) {
            queue.decide(waiter, core.closedException(id), now, effects);
        } else if (waiter.once() && (life != null || !queue.isEmpty())) {
            // Somebody of this process holds it or stands in line: the store need not be asked.
            queue.decide(waiter, Waiter.Refused.REFUSED, now, effects);
        } else {
            queue.add(waiter);
        }
        step(now, effects);
    }

    /** A caller gives up; false if it is decided already or, unless {@code forGood}, if the store owes it the first answer. */
    boolean abandon(Waiter waiter, boolean forGood, long now, Effects effects) {
        if (!queue.contains(waiter) || (!forGood && queue.isUnanswered(waiter, isKnown()))) {
            return false;
        }
        queue.turnAway(waiter, isKnown(), now, effects);
        step(now, effects);
        return true;
    }

    /** Whether it is known that the lock is not free: it is held here, or the store's last word was busy. */
    private boolean isKnown() {
        return lease != null || (life != null && life.state() == ClaimState.WAITING);
    }

    // ---- holders

    Handback release(EngineLease released, long now, Effects effects) {
        expire(now, effects);
        ClaimLife held = life;
        if (held == null || lease != released) {
            return Handback.finished(released.outcomeOfRepeatedRelease());
        }
        released.ended(now);
        lease = null;
        if (!queue.isEmpty()) {
            step(now, effects);
            return Handback.finished(ReleaseOutcome.RELEASED);
        }
        held.releasing();
        life = null;
        retire();
        return held.claim().mode().holds() ? Handback.toStore(held) : Handback.finished(ReleaseOutcome.RELEASED);
    }

    /** Somebody ended this claim by force, through this client. */
    void forced(OwnerId owner, long now, Effects effects) {
        ClaimLife held = life;
        if (held != null && held.state().isHeld() && held.claim().owner().equals(owner)) {
            held.lose(LossCause.FORCED);
            lost(held, now, effects);
        }
    }

    /** A renewal is about to be sent to make the lease last at least {@code wanted}; returns what to ask for, null if the lease is over. */
    @Nullable
    Duration extending(EngineLease extended, Duration wanted, long now) {
        ClaimLife held = life;
        if (held == null || lease != extended) {
            return null;
        }
        Duration asked = held.atLeast(wanted, now);
        held.renewalSent(asked, now);
        return asked;
    }

    /** The client closes: everybody who waits is told so, and what is held goes back. */
    void close(long now, Effects effects) {
        queue.endAll(() -> core.closedException(id), now, effects);
        EngineLease held = lease;
        if (held != null) {
            held.ended(now);
            lease = null;
            effects.also(() -> held.finished(ReleaseOutcome.RELEASED));
        }
        step(now, effects);
    }

    // ---- the store's answers

    void answered(ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error, long now, Effects effects) {
        asked.inFlight(null);
        if (asked != life || asked.state() != ClaimState.ASKING) {
            // Nobody waited for it any more. It is being taken back, and what the store did with it is known now.
            boolean granted = attempt instanceof Attempt.Granted;
            effects.also(() -> core.departures().answered(asked.claim(), granted, error == null));
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(asked, granted.fence(), now, effects);
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(asked, busy.retryAfter(), now, effects);
        } else {
            failed(asked, error, now, effects);
        }
    }

    private void granted(ClaimLife asked, long fence, long now, Effects effects) {
        store.granted(now);
        if (asked.granted(fence, now)) {
            turn.begin();
        } else {
            life = null;
            effects.takeBack(core.departures(), asked.claim(), asked.endsInStoreNanos(), true);
        }
        step(now, effects);
    }

    private void busy(ClaimLife asked, Duration retryAfter, long now, Effects effects) {
        store.busy(retryAfter, now, core);
        boolean listed = asked.claim().waited() != null;
        asked.busy(listed);
        if (!listed) {
            life = null;
            queue.endSingleAttempts(now, effects);
        } else if (store.isWoken() && !queue.isEmpty()) {
            ask(asked, now, effects);
        }
        step(now, effects);
    }

    private void failed(ClaimLife asked, @Nullable Throwable error, long now, Effects effects) {
        asked.unknown("no answer");
        life = null;
        takeBackUnknown(asked, effects);
        store.failed(error, now, core);
        Supplier<RuntimeException> refusal = Refusals.of(EngineCore.unwrap(error));
        if (refusal != null) {
            queue.endAll(refusal, now, effects);
        }
        queue.endSingleAttempts(now, effects);
        step(now, effects);
    }

    /** The store says that the name may be free for the claim of this owner, which may be an earlier one than the present; null: for any. */
    void wake(@Nullable OwnerId owner, long now, Effects effects) {
        ClaimLife waiting = life;
        if (waiting == null || (owner != null && !owner.equals(waiting.claim().owner()))) {
            return;
        }
        if (waiting.state() == ClaimState.WAITING && !queue.isEmpty()) {
            ask(waiting, now, effects);
        } else {
            store.wokenWhileAsking();
        }
    }

    /** The store answered a renewal; null if it did not. */
    void renewed(
            ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos, long now, Effects effects) {
        if (renewed != life || !renewed.state().isHeld()) {
            return;
        }
        Claim claim = renewed.claim();
        if (answer == null) {
            renewed.renewalFailed(now);
            core.events().renewalFailed(claim, renewed.deadline().nanos() - now, effects);
        } else if (renewed.renewalAnswered(answer, length, sentAtNanos, now)) {
            core.events().renewed(claim, effects);
        } else {
            lost(renewed, now, effects);
        }
    }

    // ---- time

    /** Ends the present lease, and the claim behind it, if the time of either is over. */
    void expire(long now, Effects effects) {
        ClaimLife held = life;
        if (held == null || !held.state().isHeld()) {
            return;
        }
        if (held.expire(now)) {
            lost(held, now, effects);
        } else if (lease != null && lease.isOver(now)) {
            held.lose(LossCause.EXPIRED);
            lost(held, now, effects);
        }
    }

    private void lost(ClaimLife gone, long now, Effects effects) {
        life = null;
        EngineLease loser = lease;
        lease = null;
        if (loser != null) {
            loser.lost(gone, now, effects);
        }
        // Nobody here relies on it any more; what the store still has of it only keeps others out.
        effects.takeBack(core.departures(), gone.claim(), gone.endsInStoreNanos(), true);
        step(now, effects);
    }

    /** Does what is due. */
    void tick(long now, Renewals renewals, Effects effects) {
        expire(now, effects);
        ClaimLife present = life;
        if (present != null
                && present.state() == ClaimState.ASKING
                && now - present.sentNanos() >= core.attemptTimeoutNanos()) {
            failed(present, null, now, effects);
        }
        queue.endOverdue(isKnown(), now, effects);
        poll(now, effects);
        step(now, effects);
        renew(false, now, renewals);
    }

    private void poll(long now, Effects effects) {
        ClaimLife waiting = life;
        if (waiting != null
                && waiting.state() == ClaimState.WAITING
                && now >= store.pollAtNanos()
                && !queue.isEmpty()) {
            ask(waiting, now, effects);
        }
    }

    /** Puts the held claim into the batch if it is due, or nearly so: {@code early} allows for a share of the lease. */
    void renew(boolean early, long now, Renewals renewals) {
        ClaimLife held = life;
        if (held == null) {
            return;
        }
        Duration length = held.claim().lease();
        if (held.wantsRenewal(now, early ? length.toNanos() / Renewals.SLACK_DIVISOR : 0)) {
            Duration asked = held.atLeast(length, now);
            held.renewalSent(asked, now);
            renewals.add(arbiter, held, asked, now);
        }
    }

    /** When something is due next. */
    long dueNanos() {
        long due = queue.dueNanos();
        ClaimLife present = life;
        if (present == null) {
            return queue.isEmpty() ? due : Math.min(due, store.askAgainNanos());
        }
        return switch (present.state()) {
            case ASKING -> Math.min(due, present.sentNanos() + core.attemptTimeoutNanos());
            case WAITING -> Math.min(due, store.pollAtNanos());
            case HELD, AT_RISK ->
                Math.min(due, Math.min(present.dueNanos(), lease == null ? Waiter.FOREVER : lease.endNanos()));
            default -> due;
        };
    }

    // ---- what follows

    /** Decides what follows from the present state; see the class comment. */
    private void step(long now, Effects effects) {
        ClaimLife present = life;
        if (present == null) {
            askOrRetire(now, effects);
        } else if (present.state().isHeld()) {
            if (lease == null) {
                handOn(present, now, effects);
            }
        } else if (queue.isEmpty()) {
            leave(present, effects);
        }
    }

    private void askOrRetire(long now, Effects effects) {
        if (queue.isEmpty()) {
            retire();
        } else if (store.mayAsk(now)) {
            ClaimLife fresh = newLife(null);
            life = fresh;
            ask(fresh, now, effects);
        }
    }

    /** Nobody waits for the claim any more. */
    private void leave(ClaimLife left, Effects effects) {
        life = null;
        if (left.state() == ClaimState.WAITING) {
            left.releasing();
            effects.takeBack(core.departures(), left.claim(), left.endsInStoreNanos(), true);
        } else {
            left.unknown("nobody waits for the answer");
            takeBackUnknown(left, effects);
        }
        retire();
    }

    /** A held claim is without a holder: the next in the queue gets it, or it goes back. */
    private void handOn(ClaimLife held, long now, Effects effects) {
        if (queue.isEmpty()) {
            held.releasing();
            life = null;
            effects.takeBack(core.departures(), held.claim(), held.endsInStoreNanos(), true);
            retire();
        } else if (turn.mayGoTo(queue.first(), held, now)) {
            grant(held, queue.first(), now, effects);
        } else {
            replace(held, now, effects);
        }
    }

    private void grant(ClaimLife held, Waiter next, long now, Effects effects) {
        queue.remove(next);
        int number = turn.next();
        held.renewing(next.term().isRenewing());
        EngineLease granted = new EngineLease(core, arbiter, held, number, next.term(), next.threadName(), now);
        lease = granted;
        next.decide(granted);
        effects.tell(next);
        core.events().granted(granted, next, number > 0, effects);
    }

    /** Gives others in the store their turn and lines up again, in one request. */
    private void replace(ClaimLife held, long now, Effects effects) {
        held.releasing();
        ClaimLife fresh = newLife(held);
        life = fresh;
        ask(fresh, now, effects);
    }

    private ClaimLife newLife(@Nullable ClaimLife replaced) {
        Waiter next = queue.first();
        return new ClaimLife(core.newClaim(next.request(), next.threadName()), replaced);
    }

    private void ask(ClaimLife asked, long now, Effects effects) {
        Waiter next = queue.first();
        Duration waited = store.asked(now);
        Claim claim = asked.claim().withLease(next.term().length());
        if (!next.once()) {
            claim = claim.waiting(waited);
        }
        asked.ask(claim, now);
        effects.ask(asked);
        core.events().asked(claim, effects);
    }

    private void takeBackUnknown(ClaimLife asked, Effects effects) {
        effects.takeBack(core.departures(), asked.claim(), asked.endsInStoreNanos(), false);
        ClaimLife replaced = asked.replaced();
        if (replaced != null) {
            effects.takeBack(core.departures(), replaced.claim(), replaced.endsInStoreNanos(), true);
        }
        CompletableFuture<?> future = asked.inFlight();
        if (future != null) {
            effects.also(() -> future.cancel(false));
        }
    }

    private void retire() {
        if (!retired) {
            retired = true;
            core.arbiters().retire(arbiter);
        }
    }
}
