package dev.interlock.engine;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Succession;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the lock of one name in this process: a state machine without threads or I/O. Time is an argument; what has
 * to be done outside is put into {@link Effects}. Not thread-safe: the arbiter's monitor guards it.
 *
 * <pre>
 *   callers -> [ queue, first in first out ] -> the holder's lease, number 0, 1, 2 ...
 *                                                 |  of
 *                                                 v
 *                                         one claim in the store          {@link Tenure}
 * </pre>
 *
 * <p>Whatever happens (a caller comes or goes, the store answers, a lease ends, time passes) changes the state and then
 * asks {@link #step} what follows:
 *
 * <ol>
 *   <li>no claim, nobody queued: the arbiter retires; no state is kept for an idle name
 *   <li>no claim, somebody queued: ask the store, unless it failed a moment ago
 *   <li>a claim that waits or is asked for, nobody queued: take it back
 *   <li>a claim that is held, and room on it: give a lease to the first in the queue, and so on; without a lease and a
 *       queue, back to the store
 *   <li>anything else: wait for the next event
 * </ol>
 *
 * <p>When a holder lets go and somebody is queued, the claim passes on inside the process, at no cost but a larger
 * token; that of a plain lock is open to others until the first in the queue has woken up, see {@link Barging}. After a
 * bounded number or time of such hand-overs it is <em>replaced</em>: one acquire that ends the old claim, lets others
 * in the store go first, and lines up again.
 *
 * <p>Readers of a read/write lock share the claim. If its turn is over while some of them still hold it, it is put
 * <em>aside</em>: they keep it, who comes now asks the store with another claim, so that neither the writers of other
 * processes wait for ever nor the readers of this one for each other.
 *
 * <p>Permits of a semaphore need a claim each. One that is held is put aside at once, and the next is asked for; when
 * its holder lets go it passes to the first in the queue, for the rest of its turn, if that wants as many permits.
 */
final class Arbitration {

    private final EngineCore core;
    private final Arbiter arbiter;
    private final LockId id;
    private final CallerQueue queue;
    private final Tenures tenures;
    private final Asking asking;
    private final Entrance entrance;
    private final Holders holders;
    private final Barging barging;
    private boolean retired;

    Arbitration(EngineCore core, Arbiter arbiter, LockId id) {
        this.core = core;
        this.arbiter = arbiter;
        this.id = id;
        StoreDialogue store = new StoreDialogue();
        this.queue = new CallerQueue(core, id, store);
        this.tenures = new Tenures(core);
        this.asking = new Asking(core, arbiter, store, queue, tenures);
        this.entrance = new Entrance(queue, tenures);
        this.holders = new Holders(tenures);
        this.barging = new Barging(id, queue, tenures);
    }

    boolean isRetired() {
        return retired;
    }

    boolean hasPlaceFor(Waiter waiter) {
        return entrance.hasPlaceFor(waiter);
    }

    /** The leases, for questions that change nothing about who is served. */
    Holders holders() {
        return holders;
    }

    // ---- callers

    void submit(Waiter waiter, long now, Effects effects) {
        EngineLease beside = waiter.request().beside();
        UnsupportedOperationException refusal =
                core.refusal(id, waiter.request().mode());
        if (core.isClosed()) {
            queue.decide(waiter, core.closedException(id), now, effects);
        } else if (refusal != null) {
            queue.decide(waiter, refusal, now, effects);
        } else if (beside != null) {
            downgrade(waiter, beside, now, effects);
        } else if (waiter.once() && entrance.isBarredTo(waiter)) {
            // Somebody of this process holds it or stands in line: the store need not be asked.
            queue.decide(waiter, Waiter.Refused.REFUSED, now, effects);
        } else {
            lineUp(waiter, now, effects);
        }
        step(now, effects);
    }

    private void lineUp(Waiter waiter, long now, Effects effects) {
        EngineLease open = barging.take(waiter, now);
        if (open == null) {
            queue.add(waiter);
        } else {
            decide(waiter, open, true, effects);
        }
    }

    /** The first in the queue was called, and is here. */
    void come(Waiter waiter, long now, Effects effects) {
        expire(now, effects);
        barging.come(waiter);
        step(now, effects);
    }

    /** Whoever holds the whole takes a share besides, at no cost, and before all that wait. */
    private void downgrade(Waiter waiter, EngineLease beside, long now, Effects effects) {
        Tenure held = tenures.present();
        if (held != null && held.whole() == beside) {
            decide(waiter, held.grantBeside(waiter, now), false, effects);
        } else {
            queue.decide(waiter, beside.endedException(), now, effects);
        }
    }

    /**
     * A caller gives up; false if it is decided already or, unless {@code forGood}, if the store owes it the first
     * answer.
     */
    boolean abandon(Waiter waiter, boolean forGood, long now, Effects effects) {
        if (!queue.contains(waiter) || (!forGood && queue.isUnanswered(waiter, tenures.isKnown()))) {
            return false;
        }
        queue.turnAway(waiter, tenures.isKnown(), now, effects);
        step(now, effects);
        return true;
    }

    // ---- holders

    Handback release(EngineLease released, long now, Effects effects) {
        expire(now, effects);
        Tenure held = tenures.of(released);
        if (held == null) {
            return Handback.finished(released.outcomeOfRepeatedRelease());
        }
        boolean whole = released == held.whole();
        released.ended(now);
        held.remove(released);
        if (passOn(held, now, effects)) {
            step(now, effects);
            return Handback.finished(ReleaseOutcome.RELEASED);
        }
        if (barging.leavesOpen(held, now, effects)) {
            return Handback.finished(ReleaseOutcome.RELEASED);
        }
        if (!held.isIdle() || (held == tenures.present() && !queue.isEmpty())) {
            held.convertIfDue(now, effects);
            step(now, effects);
            return whole && held.isUnsure()
                    ? Handback.converting(held.life())
                    : Handback.finished(ReleaseOutcome.RELEASED);
        }
        held.life().releasing();
        if (held.isUnsure()) {
            tenures.takeBack(held, effects);
            retireIfIdle();
            return Handback.finished(ReleaseOutcome.UNCONFIRMED);
        }
        tenures.drop(held);
        retireIfIdle();
        if (!held.life().claim().mode().holds()) {
            return Handback.finished(ReleaseOutcome.RELEASED);
        }
        held.life().detach();
        return Handback.toStore(held.life());
    }

    /**
     * Permits that were put aside go to the first in the queue, while the claim that is asked for stays in line for the
     * next.
     */
    private boolean passOn(Tenure held, long now, Effects effects) {
        if (!held.isForPermits() || held == tenures.present() || queue.isEmpty() || !held.mayGoTo(queue.first(), now)) {
            return false;
        }
        Waiter next = queue.first();
        queue.remove(next);
        decide(next, held.grant(next, now), true, effects);
        return true;
    }

    /** Somebody ended this claim by force, through this client. */
    void forced(OwnerId owner, long now, Effects effects) {
        for (Tenure held : tenures.all()) {
            if (held.isHeld() && held.life().claim().owner().equals(owner)) {
                lost(held, LossCause.FORCED, now, effects);
            }
        }
    }

    /** The client closes: everybody who waits is told so, and what is held goes back. */
    void close(long now, Effects effects) {
        queue.endAll(() -> core.closedException(id), now, effects);
        for (Tenure held : tenures.all()) {
            held.endAll(now, effects);
            // Who went over to a share may wait for the answer, and nobody will look whether it comes.
            held.life().cancelInFlight(effects);
            if (held != tenures.present()) {
                tenures.giveBack(held, effects);
            }
        }
        step(now, effects);
    }

    // ---- the store's answers

    void answered(ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error, long now, Effects effects) {
        asking.answered(asked, attempt, error, now, effects);
        step(now, effects);
    }

    /**
     * The store says that the name may be free for the claim of this owner, which may be an earlier one than the
     * present; null: for any. Or that it is granted.
     */
    void wake(@Nullable OwnerId owner, @Nullable Succession succession, long now, Effects effects) {
        // A session may have ended before its time.
        expire(now, effects);
        asking.wake(owner, succession, now, effects);
        step(now, effects);
    }

    /** The store answered a renewal; null if it did not. */
    void renewed(
            ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos, long now, Effects effects) {
        Tenure held = tenures.of(renewed);
        if (held == null || !held.isHeld()) {
            return;
        }
        Claim claim = renewed.claim();
        if (answer == null) {
            renewed.renewalFailed(now);
            core.events().renewalFailed(claim, renewed.deadline().nanos() - now, effects);
        } else if (renewed.renewalAnswered(answer, length, sentAtNanos, now)) {
            core.events().renewed(claim, effects);
        } else {
            gone(held, now, effects);
            return;
        }
        held.convertIfDue(now, effects);
    }

    /** The store answered a conversion; null if it did not. */
    void converted(
            ClaimLife converted,
            @Nullable Attempt answer,
            Duration length,
            long sentAtNanos,
            long now,
            Effects effects) {
        converted.inFlight(null);
        Tenure held = tenures.of(converted);
        if (held == null) {
            boolean granted = answer instanceof Attempt.Granted;
            effects.also(() -> core.pendingReleases().onAcquireReply(converted.claim(), granted, answer != null));
        } else if (answer == null) {
            held.conversionFailed(now);
            core.events().renewalFailed(converted.claim(), converted.deadline().nanos() - now, effects);
        } else {
            Renewal result = held.converted(answer) ? Renewal.HELD : Renewal.TAKEN;
            renewed(converted, result, length, sentAtNanos, now, effects);
        }
    }

    // ---- time

    /** Ends the leases whose time is over, and the claims behind them. */
    void expire(long now, Effects effects) {
        Tenure held = tenures.present();
        if (held != null) {
            expire(held, now, effects);
        }
        for (Tenure other : tenures.aside()) {
            expire(other, now, effects);
        }
    }

    private void expire(Tenure held, long now, Effects effects) {
        if (!held.isHeld()) {
            return;
        }
        if (held.life().expire(now)) {
            gone(held, now, effects);
        } else if (held.endOverdue(now, effects)) {
            if (held.isIdle()) {
                lost(held, LossCause.EXPIRED, now, effects);
                return;
            }
            held.convertIfDue(now, effects);
            step(now, effects);
        }
    }

    private void lost(Tenure held, LossCause cause, long now, Effects effects) {
        held.life().lose(cause);
        gone(held, now, effects);
    }

    /** The claim is lost, and with it every lease on it. */
    private void gone(Tenure held, long now, Effects effects) {
        held.loseLeases(now, effects);
        // Nobody here relies on it any more; what the store still has of it only keeps others out.
        tenures.takeBack(held, effects);
        step(now, effects);
    }

    /** Does what is due. */
    void tick(long now, Renewals renewals, Effects effects) {
        expire(now, effects);
        asking.tick(now, effects);
        queue.endOverdue(tenures.isKnown(), now, effects);
        tenures.aside().forEach(held -> held.convertIfDue(now, effects));
        step(now, effects);
        renew(false, now, renewals);
    }

    /** Puts the held claims into the batch that are due, or nearly so. */
    void renew(boolean early, long now, Renewals renewals) {
        tenures.all().forEach(held -> held.renew(early, now, renewals));
    }

    /** When something is due next. */
    long dueNanos() {
        long holding = Math.min(tenures.dueNanos(), barging.dueNanos());
        return Math.min(holding, Math.min(queue.dueNanos(), asking.dueNanos()));
    }

    // ---- what follows

    /** Decides what follows from the present state; see the class comment. */
    private void step(long now, Effects effects) {
        Tenure tenure = tenures.present();
        if (tenure == null) {
            askOrRetire(now, effects);
        } else if (tenure.isHeld()) {
            serve(tenure, now, effects);
        } else if (queue.isEmpty()) {
            asking.leave(tenure, effects);
            retireIfIdle();
        } else if (tenure.isIn(ClaimState.WAITING) && !tenure.isFor(queue.first())) {
            asking.askOtherwise(tenure, now, effects);
        }
    }

    private void askOrRetire(long now, Effects effects) {
        if (queue.isEmpty()) {
            retireIfIdle();
        } else if (!asking.mustPause(now)) {
            asking.askAnew(null, now, effects);
        }
    }

    /** A held claim: as long as there is room on it, the next in the queue gets a lease, or another claim is needed. */
    private void serve(Tenure held, long now, Effects effects) {
        while (!queue.isEmpty() && held.hasRoomFor(queue.first())) {
            Waiter next = queue.first();
            if (held.mayGoTo(next, now)) {
                queue.remove(next);
                EngineLease granted = held.grant(next, now);
                decide(next, granted, held.isHandedOver(), effects);
            } else if (held.isIdle() && held.isForPermits()) {
                // Lining up again behind others would not be worth a request of its own kind: it is rare.
                tenures.giveBack(held, effects);
                askOrRetire(now, effects);
                return;
            } else if (held.isIdle()) {
                asking.replace(held, now, effects);
                return;
            } else {
                tenures.putAside(held);
                held.convertIfDue(now, effects);
                askOrRetire(now, effects);
                return;
            }
        }
        if (held.isIdle()) {
            tenures.giveBack(held, effects);
            retireIfIdle();
        } else if (held.isForPermits()) {
            tenures.putAside(held);
            askOrRetire(now, effects);
        } else {
            held.convertIfDue(now, effects);
        }
    }

    private void decide(Waiter waiter, EngineLease granted, boolean handedOver, Effects effects) {
        waiter.decide(granted);
        effects.tell(waiter);
        core.events().granted(granted, waiter, handedOver, effects);
    }

    private void retireIfIdle() {
        if (!retired && tenures.isEmpty() && queue.isEmpty()) {
            retired = true;
            core.arbiters().retire(arbiter);
        }
    }
}
