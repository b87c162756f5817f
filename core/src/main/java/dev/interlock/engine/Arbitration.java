package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.spi.Wake;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the lock of one name in this process: a state machine without threads or I/O. Time is an argument; what has
 * to be done outside is put into {@link DeferredActions}. Not thread-safe: the arbiter's monitor guards it.
 *
 * <pre>
 *   callers -> [ queue, first in first out ] -> the holder's lease, number 0, 1, 2 ...
 *                                                 |  of
 *                                                 v
 *                                         one claim in the store          {@link LeasedClaim}
 * </pre>
 *
 * <p>Each event (a caller arrives or gives up, the store replies, a lease ends, time passes) changes the state. Then
 * {@link #step} decides what follows:
 *
 * <ol>
 *   <li>no claim, nobody queued: the arbiter retires; no state is kept for an idle name
 *   <li>no claim, somebody queued: send an acquire, unless the store failed a moment ago
 *   <li>a claim that waits or is asked for, nobody queued: release it
 *   <li>a claim that waits, and was asked for on behalf of others than those who are queued now: ask once more
 *   <li>a claim that is held, and room on it: give a lease to the first in the queue, and so on; if its turn is over,
 *       go back to the store
 *   <li>a claim that is held, no lease on it, nobody queued: release it, unless it is {@linkplain Retention kept}
 *   <li>anything else: wait for the next event
 * </ol>
 *
 * <p>When a holder lets go and somebody is queued, the claim is handed over inside the process, at no cost but a larger
 * token; that of a plain lock is open to others until the first in the queue has woken up, see {@link LockPolicy}.
 * After a bounded number or time of such hand-overs it is <em>replaced</em>: one acquire ends the old claim, lets
 * others in the store go first, and lines up again.
 *
 * <p>A held claim may be put <em>aside</em>: its holders keep it, and whoever comes now needs another claim.
 *
 * <p>What is of plain locks, of read/write locks, of permits and of latches is in a {@link KindPolicy} of its own.
 */
final class Arbitration {

    /** The arbiter around this. */
    interface Host extends EngineLease.Issuer, ClaimLife.Guard {

        /** Nobody is queued and no claim is left. Called once, under the monitor. */
        void retired();
    }

    private final EngineContext context;
    private final Host host;
    private final LockId id;
    private final KindPolicy kind;
    private final boolean alone;
    private final WaiterQueue queue = new WaiterQueue();
    private final RetrySchedule retries = new RetrySchedule();

    /** The claim that callers are served by, or will be: from its first request to its last lease. */
    private @Nullable LeasedClaim current;

    /** Held claims that only keep the leases they have. */
    private List<LeasedClaim> aside = List.of();

    /** A grant of this client that came too late to be used, and that may still be in the way of the next request. */
    private @Nullable Claim outlived;

    /** Whether it was when the last request was sent: then "busy" does not say that somebody else has the name. */
    private boolean besideOutlived;

    private boolean retired;

    /** @param alone whether this is for one caller only */
    Arbitration(EngineContext context, Host host, LockId id, boolean alone) {
        this.context = context;
        this.host = host;
        this.id = id;
        this.kind = policyOf(id.kind());
        this.alone = alone;
    }

    // ---- what follows

    /** Decides what follows from the present state; see the class comment. */
    private void step(long now, DeferredActions actions) {
        LeasedClaim claim = current;
        if (claim == null) {
            acquireOrRetire(now, actions);
        } else if (claim.isHeld()) {
            serve(claim, now, actions);
        } else if (queue.isEmpty()) {
            leave(claim, actions);
            retireIfIdle();
        } else if (claim.isIn(ClaimState.WAITING) && !claim.isFor(queue.first())) {
            acquireOtherwise(claim, now, actions);
        } else if (claim.isIn(ClaimState.WAITING) && kind.asksAgain(claim, queue)) {
            acquire(claim, now, actions);
        }
    }

    private void acquireOrRetire(long now, DeferredActions actions) {
        if (queue.isEmpty()) {
            retireIfIdle();
        } else if (retries.mayRetry(now)) {
            acquireAnew(null, now, actions);
        }
    }

    /** A held claim: as long as there is room on it, the next in the queue gets a lease, or another claim is needed. */
    private void serve(LeasedClaim held, long now, DeferredActions actions) {
        while (!queue.isEmpty() && held.hasRoomFor(queue.first())) {
            Waiter next = queue.first();
            if (!held.mayGoTo(next, now)) {
                endTurn(held, now, actions);
                return;
            }
            grant(held, next, now, actions);
        }
        if (held.isIdle()) {
            if (context.isClosed() || !held.isRetained(now)) {
                giveBack(held, actions);
                retireIfIdle();
            }
        } else if (kind.hasClaimForEach()) {
            putAside(held);
            acquireOrRetire(now, actions);
        } else {
            held.convertIfDue(now, actions);
        }
    }

    private void grant(LeasedClaim held, Waiter next, long now, DeferredActions actions) {
        queue.remove(next);
        decide(next, held.grant(next, now), actions);
    }

    /** The first in the queue needs another claim: the turn of this one is over, or it is not what that one wants. */
    private void endTurn(LeasedClaim held, long now, DeferredActions actions) {
        if (!held.isIdle()) {
            putAside(held);
            held.convertIfDue(now, actions);
            acquireOrRetire(now, actions);
        } else if (kind.isReplaced()) {
            replace(held, now, actions);
        } else {
            heldUntil(held, now);
            giveBack(held, actions);
            acquireOrRetire(now, actions);
        }
    }

    private void retireIfIdle() {
        if (!retired && current == null && aside.isEmpty() && queue.isEmpty()) {
            retired = true;
            host.retired();
        }
    }

    // ---- callers

    /**
     * A caller arrives. Returns false if the arbiter has retired, or if the caller was {@linkplain Waiter#sendAway()
     * sent away}.
     */
    boolean submit(Waiter waiter, long now, DeferredActions actions) {
        // An arbiter whose last lease ends at this moment retires at this moment, and must not take anybody.
        expire(now, actions);
        if (retired) {
            return false;
        }
        if (!alone && !kind.linesUp(waiter, isLine(), aside.size())) {
            waiter.sendAway();
            // It may have been made for this caller.
            retireIfIdle();
            return false;
        }
        UnsupportedOperationException unsupported = context.store().refusal(waiter.request());
        if (context.refuses(waiter.threadId())) {
            decide(waiter, context.closedException(id), actions);
        } else if (unsupported != null) {
            decide(waiter, unsupported, actions);
        } else if (waiter.request().writeLease() instanceof EngineLease writeLease) {
            decide(waiter, ReadWritePolicy.downgrade(writeLease, waiter, current, now), actions);
        } else if (waiter.isSingleAttempt() && kind.isBarredTo(waiter, current, !aside.isEmpty(), queue)) {
            decide(waiter, Outcome.NoLease.REFUSED, actions);
        } else {
            takeOrLineUp(waiter, now, actions);
        }
        step(now, actions);
        return true;
    }

    /** Whether others wait for the store already, or nobody is there at all. */
    private boolean isLine() {
        LeasedClaim claim = current;
        return claim == null ? queue.isEmpty() : claim.isIn(ClaimState.WAITING) || queue.size() > 1;
    }

    private void takeOrLineUp(Waiter waiter, long now, DeferredActions actions) {
        LeasedClaim open = openClaim();
        if (open != null && open.mayGoTo(waiter, now)) {
            kind.overtaken();
            decide(waiter, open.grant(waiter, now), actions);
        } else {
            queue.add(waiter);
            if (waiter.isSingleAttempt()) {
                queue.stay(waiter);
            }
        }
    }

    /** The first in the queue was signalled, and has arrived. */
    void onArrival(Waiter waiter, long now, DeferredActions actions) {
        expire(now, actions);
        kind.arrived(waiter);
        step(now, actions);
    }

    /**
     * A caller gives up. Returns false if it is decided already or, unless {@code forGood}, if it stays for the store's
     * first answer, until {@link #endOverdue} ends it.
     *
     * @param reason what it gets; null: what there is to say
     */
    boolean abandon(
            Waiter waiter, boolean forGood, @Nullable RuntimeException reason, long now, DeferredActions actions) {
        if (!queue.contains(waiter)) {
            return false;
        }
        if (!forGood && isOwed(waiter, now)) {
            queue.stay(waiter);
            return false;
        }
        if (reason == null) {
            turnAway(waiter, actions);
        } else {
            queue.remove(waiter);
            decide(waiter, reason, actions);
        }
        step(now, actions);
        return true;
    }

    /** Gives this outcome to one who is not in the queue, or has been taken out. */
    private static void decide(Waiter waiter, Outcome outcome, DeferredActions actions) {
        waiter.decide(outcome);
        actions.notify(waiter);
    }

    private static void decide(Waiter waiter, RuntimeException failure, DeferredActions actions) {
        decide(waiter, new Outcome.Failure(failure), actions);
    }

    // ---- callers that end without a lease

    /**
     * Whether nobody knows if the lock is free: it is not held here, the store did not say busy last, and neither was
     * so since the caller came.
     */
    private boolean isUnanswered(Waiter waiter) {
        LeasedClaim claim = current;
        boolean waits = claim != null && claim.isIn(ClaimState.WAITING) && !besideOutlived;
        boolean known = waits
                || (claim != null && claim.isHeld())
                || retries.isKnownSince(waiter.startNanos())
                || waiter.isAnswered();
        return !known || kind.isOutdated(waiter, claim, retries.isFailing());
    }

    /**
     * Whether the store owes this caller the first answer, for which it stays even if its time is over: for one
     * attempt, which has not failed.
     */
    private boolean isOwed(Waiter waiter, long now) {
        return isUnanswered(waiter) && !retries.hasFailedFor(waiter.startNanos()) && now < patienceNanos(waiter);
    }

    /** Until when the store owes this caller the first answer: the attempt under way may have begun after it came. */
    private long patienceNanos(Waiter waiter) {
        LeasedClaim asked = current;
        long begun = waiter.startNanos();
        if (asked != null && asked.isIn(ClaimState.ASKING)) {
            begun = Math.max(begun, asked.life().attemptNanos());
        }
        return begun + context.timeouts().attemptNanos();
    }

    /** With a refusal or, if nobody knows whether the lock is free, by saying that the store is silent. */
    private void turnAway(Waiter waiter, DeferredActions actions) {
        queue.remove(waiter);
        if (isUnanswered(waiter)) {
            decide(waiter, silence(waiter), actions);
        } else {
            decide(waiter, Outcome.NoLease.REFUSED, actions);
        }
    }

    /**
     * Ends those whose time is over, unless the store owes them the first answer, and those to whom the store has been
     * silent for too long.
     */
    private void endOverdue(long now, DeferredActions actions) {
        if (!queue.hasTimed() && !queue.hasOverdue() && !retries.isFailing()) {
            return;
        }
        long storeNanos = context.timeouts().storeNanos();
        for (Waiter waiter : queue.copy()) {
            boolean over = waiter.isOverdue() || (waiter.needsTimer() && now >= waiter.deadlineNanos());
            if (over && !isOwed(waiter, now)) {
                turnAway(waiter, actions);
            } else if (over && !waiter.isOverdue()) {
                queue.stay(waiter);
            } else if (retries.isFailing() && now - retries.silentSinceNanos(waiter.startNanos()) >= storeNanos) {
                queue.remove(waiter);
                decide(waiter, silence(waiter), actions);
            }
        }
    }

    /** Ends these, each with an exception of its own. */
    private void endAll(Predicate<Waiter> those, Supplier<RuntimeException> reason, DeferredActions actions) {
        for (Waiter waiter : queue.copy()) {
            if (those.test(waiter)) {
                queue.remove(waiter);
                decide(waiter, reason.get(), actions);
            }
        }
    }

    private StoreUnavailableException silence(Waiter waiter) {
        boolean connected = !retries.isUnconnected();
        return context.store().silence(id, waiter.startNanos(), connected, retries.isSilent(), retries.lastFailure());
    }

    // ---- holders

    ReleaseDecision release(EngineLease released, long now, DeferredActions actions) {
        expire(now, actions);
        LeasedClaim held = claimOf(released);
        if (held == null) {
            return ReleaseDecision.finished(released.outcomeOfRepeatedRelease());
        }
        boolean exclusive = released == held.exclusiveLease();
        released.ended(now, actions);
        held.remove(released);
        handOverPermits(held, now, actions);
        if (leaveOpen(held, now, actions)) {
            return ReleaseDecision.finished(ReleaseOutcome.RELEASED);
        }
        if (!held.isIdle() || (held == current && !queue.isEmpty())) {
            step(now, actions);
            return exclusive && held.isUnsure()
                    ? ReleaseDecision.converting(held.life())
                    : ReleaseDecision.finished(ReleaseOutcome.RELEASED);
        }
        if (!context.isClosed() && held.retain(now)) {
            return ReleaseDecision.finished(ReleaseOutcome.RELEASED);
        }
        held.life().releasing(released.needsRenewal());
        if (held.isUnsure()) {
            releaseInBackground(held, actions);
            retireIfIdle();
            return ReleaseDecision.finished(ReleaseOutcome.UNCONFIRMED);
        }
        drop(held);
        retireIfIdle();
        if (held.life().isLeftClosed() || !held.holds()) {
            return ReleaseDecision.finished(ReleaseOutcome.RELEASED);
        }
        held.life().detach();
        return ReleaseDecision.toStore(held.life());
    }

    /** The holder leaves its claim to lapse. Nobody here gets it: the next in the queue asks the store. */
    ReleaseDecision lapse(EngineLease left, long now, DeferredActions actions) {
        expire(now, actions);
        LeasedClaim held = claimOf(left);
        if (held == null) {
            return ReleaseDecision.finished(left.outcomeOfRepeatedRelease());
        }
        if (held.leases().size() > 1) {
            return ReleaseDecision.REFUSED;
        }
        left.ended(now, actions);
        held.life().releasing(left.needsRenewal());
        heldUntil(held, now);
        drop(held);
        held.life().detach();
        step(now, actions);
        return ReleaseDecision.toStore(held.life());
    }

    /**
     * Permits that were put aside go to the first in the queue, while the claim that is asked for stays in line for the
     * next.
     */
    private void handOverPermits(LeasedClaim held, long now, DeferredActions actions) {
        if (held != current && kind.hasClaimForEach() && !queue.isEmpty() && held.mayGoTo(queue.first(), now)) {
            grant(held, queue.first(), now, actions);
        }
    }

    /** Whether a claim of which a lease has just ended is left open. */
    private boolean leaveOpen(LeasedClaim held, long now, DeferredActions actions) {
        return held == openClaim() && held.mayGoTo(queue.first(), now) && kind.leavesOpenFor(queue.first(), actions);
    }

    /** The current claim if it is open: held, without a lease, and somebody queued; else null. */
    private @Nullable LeasedClaim openClaim() {
        LeasedClaim held = current;
        return held != null && held.isHeld() && held.isIdle() && !queue.isEmpty() ? held : null;
    }

    /** Somebody ended the claim of this owner by force, through this client. */
    void forced(OwnerId owner, long now, DeferredActions actions) {
        for (LeasedClaim held : allClaims()) {
            if (held.isHeld() && held.life().claim().owner().equals(owner)) {
                lose(held, LossCause.FORCED, now, actions);
            }
        }
    }

    /** The claim stays with this lease; returns false if the lease is over. */
    boolean keep(EngineLease lease, long now, DeferredActions actions) {
        expire(now, actions);
        LeasedClaim held = claimOf(lease);
        if (held != null) {
            held.keep();
        }
        return held != null;
    }

    /**
     * The lease of permits gives so many of them back, unless that is all or too many; returns how many are left, or
     * {@link EngineLease.Issuer#OVER}. From now on it counts as one of fewer permits, whatever the store says.
     */
    int reduce(EngineLease lease, int permits, long now, DeferredActions actions) {
        expire(now, actions);
        LeasedClaim held = claimOf(lease);
        if (held == null || !(held.life().claim().mode() instanceof Mode.Permits had)) {
            return EngineLease.Issuer.OVER;
        }
        int rest = had.count() - permits;
        if (rest > 0) {
            held.life().reduce(new Mode.Permits(rest, had.capacity()));
        }
        return rest;
    }

    boolean holds(EngineLease lease) {
        return claimOf(lease) != null;
    }

    /** The callers in line that no claim in the store stands for, the longest waiting first. */
    List<LockStatus.Waiter> unlistedWaiters(long now) {
        LeasedClaim asking = current;
        boolean isListed =
                asking != null && !asking.isHeld() && asking.life().claim().waited() != null;
        return queue.copy().stream()
                // The claim is that of the first.
                .skip(isListed ? 1 : 0)
                .filter(waiter -> !waiter.isOverdue() && !waiter.isSingleAttempt())
                .map(waiter -> new LockStatus.Waiter(
                        context.claims().clientId(),
                        context.claims().party(waiter),
                        waiter.request().mode(),
                        Duration.ofNanos(now - waiter.startNanos())))
                .toList();
    }

    /** How many leases there are. */
    int leaseCount() {
        int count = 0;
        for (LeasedClaim claim : allClaims()) {
            count += claim.leases().size();
        }
        return count;
    }

    /** The thread that acquired a lease on the name, or a share of it; null if there is none. */
    @Nullable
    String holderThread(boolean share) {
        for (LeasedClaim claim : allClaims()) {
            for (EngineLease lease : claim.leases()) {
                if ((lease == claim.exclusiveLease()) != share) {
                    return lease.thread();
                }
            }
        }
        return null;
    }

    /**
     * The lease is to last at least {@code wanted}, for which a renewal is about to be sent, unless one is under way.
     * Returns null if the lease is over.
     */
    @Nullable
    Extension extend(EngineLease extended, Duration wanted, long now) {
        LeasedClaim held = claimOf(extended);
        if (held == null) {
            return null;
        }
        ClaimLife life = held.life();
        Duration asked = life.atLeast(wanted, now);
        CompletableFuture<Void> before = life.isRenewalUnderWay() ? life.renewalEnd() : null;
        if (before == null) {
            life.renewalSent(asked, now);
        }
        return new Extension(before, life.claim().withLease(asked), now);
    }

    /**
     * Another client wants what a claim holds. A claim without a lease is given back. A request is for those who hold
     * the claim now, not for those to whom it is handed over later.
     */
    private void onWanted(Wake wake, long now, DeferredActions actions) {
        expire(now, actions);
        for (LeasedClaim held : allClaims()) {
            if (held.life().claim().owner().equals(wake.owner())) {
                if (wake instanceof Wake.Requested) {
                    held.leases().forEach(lease -> lease.revocationRequested(actions));
                }
                held.wanted();
            }
        }
        step(now, actions);
    }

    /** Keeps a callback for when the lease is asked for; false if it is to be called now. */
    boolean addRevocationCallback(EngineLease lease, Runnable callback, long now) {
        if (!lease.addRevocationCallback(callback)) {
            return false;
        }
        LeasedClaim held = claimOf(lease);
        if (held != null) {
            held.life().announce(now);
        }
        return true;
    }

    /**
     * The client closes: everybody who waits gets an exception, and what is held is released, except what code of the
     * user that still runs here needs.
     *
     * @return the leases that are left
     */
    List<EngineLease> close(long now, DeferredActions actions) {
        endAll(waiter -> !context.spares(waiter.threadId()), () -> context.closedException(id), actions);
        // What is over by now is lost, and not released.
        expire(now, actions);
        List<EngineLease> left = new ArrayList<>();
        for (LeasedClaim held : allClaims()) {
            held.endUnneeded(now, actions);
            left.addAll(held.leases());
            if (held.isIdle() && held != current) {
                giveBack(held, actions);
            }
        }
        step(now, actions);
        return left;
    }

    /** The client has closed, and these leases are left: from now on they run out. */
    void letRunOut() {
        for (LeasedClaim held : allClaims()) {
            held.life().renewing(false);
        }
    }

    /** Code of the user begins to run under a lease; null if that is over. */
    WorkLease.@Nullable Work begin(
            EngineLease needed, WorkLease.Place place, @Nullable Consumer<@Nullable LossCause> whenOver) {
        return holds(needed) && needed.isValid() ? needed.begun(place, whenOver) : null;
    }

    // ---- how the current claim comes to be held: requests

    /** Asks for a new claim, for the first in the queue; it takes the place of another if one is given. */
    private void acquireAnew(@Nullable ClaimLife replaced, long now, DeferredActions actions) {
        Waiter next = queue.first();
        retries.newClaim(next.startNanos());
        Claim claim = context.claims().newClaim(next.request(), next.threadName());
        LeasedClaim fresh = new LeasedClaim(
                context,
                host,
                new ClaimLife(claim, next.options().lockDelay(), replaced, host),
                next.options().participant());
        current = fresh;
        acquire(fresh, now, actions);
    }

    /** Gives others in the store their turn and lines up again, in one request. */
    private void replace(LeasedClaim held, long now, DeferredActions actions) {
        heldUntil(held, now);
        held.life().releasing();
        if (held.isUnsure() || held.life().isLeftClosed()) {
            releaseInBackground(held, actions);
            acquireAnew(null, now, actions);
        } else {
            acquireAnew(held.life(), now, actions);
        }
    }

    /** The first in the queue is not the one that the waiting claim was asked for, and wants something else. */
    private void acquireOtherwise(LeasedClaim waiting, long now, DeferredActions actions) {
        if (kind.hasClaimForEach() || !waiting.isOf(queue.first())) {
            // Its place in the line was for so many permits, or for somebody else.
            leave(waiting, actions);
            acquireAnew(null, now, actions);
        } else {
            acquire(waiting, now, actions);
        }
    }

    private void acquire(LeasedClaim asked, long now, DeferredActions actions) {
        Waiter next = queue.first();
        Duration waited = retries.sent(now);
        Claim claim = asked.life().claim().withLease(next.term().length());
        if (asked.isShared() != next.isShared()) {
            // The one that it was asked for has given up, and the next one wants something else.
            claim = claim.inMode(next.request().mode());
        }
        if (!next.isSingleAttempt() && !asksFirst(next)) {
            claim = claim.waiting(waited);
        }
        asked.life().ask(claim, now);
        asked.askedFor(queue.arrivals());
        if (!context.store().isConnected()) {
            asked.life().connecting();
        }
        besideOutlived = isOutlivedHeld();
        actions.acquire(asked.life());
    }

    /** Gives up a reply that is overdue, and asks again for a claim that was not woken. */
    private void acquireIfDue(long now, DeferredActions actions) {
        LeasedClaim asked = current;
        if (asked == null) {
            return;
        }
        if (asked.isIn(ClaimState.ASKING)) {
            asked.life().lookedAt(context.store().isConnected(), now);
            if (now >= replyDueNanos(asked)) {
                context.store().missed(asked.life().sentNanos(), now);
                failed(asked, null, now, actions);
            }
        } else if (asked.isIn(ClaimState.WAITING) && now >= retries.pollAtNanos() && !queue.isEmpty()) {
            acquire(asked, now, actions);
        }
    }

    private long acquireDueNanos() {
        LeasedClaim asked = current;
        if (asked == null) {
            return queue.isEmpty() ? EngineClock.NEVER : retries.retryAtNanos();
        }
        if (asked.isIn(ClaimState.ASKING)) {
            long nextLook =
                    asked.life().attemptNanos() + context.timeouts().attemptNanos() / StoreClient.CONNECTING_LOOKS;
            return asked.life().isConnecting() ? Math.min(nextLook, replyDueNanos(asked)) : replyDueNanos(asked);
        }
        return asked.isIn(ClaimState.WAITING) ? retries.pollAtNanos() : EngineClock.NEVER;
    }

    /** A store that has not connected for as long as it may be silent is given up. */
    private long replyDueNanos(LeasedClaim asked) {
        ClaimLife life = asked.life();
        return life.isConnecting()
                ? life.sentNanos() + context.timeouts().storeNanos()
                : life.attemptNanos() + context.timeouts().replyNanos();
    }

    /** Nobody waits for the claim any more. */
    private void leave(LeasedClaim left, DeferredActions actions) {
        ClaimLife life = left.life();
        drop(left);
        if (life.state() == ClaimState.WAITING) {
            life.releasing();
            actions.release(context.releases(), life.claim(), life.endsInStoreNanos(), Outstanding.NOTHING);
        } else {
            life.unknown("nobody waits for the reply");
            withdraw(life, actions);
        }
    }

    private void withdraw(ClaimLife asked, DeferredActions actions) {
        actions.withdraw(context.releases(), asked);
        ClaimLife replaced = asked.replaced();
        if (replaced != null) {
            actions.release(context.releases(), replaced.claim(), replaced.endsInStoreNanos(), Outstanding.NOTHING);
        }
    }

    // ---- how the current claim comes to be held: replies

    void onAcquireReply(
            ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error, long now, DeferredActions actions) {
        context.store().ended(error, now);
        if (error == null) {
            asked.inFlight(null);
            context.timeouts().replyTook(now - asked.sentNanos());
        }
        LeasedClaim claim = claimOf(asked);
        if (claim == null || asked.state() != ClaimState.ASKING) {
            // Nobody waits for it any more. It is being released, and what the store did with it is known now.
            boolean stands = attempt instanceof Attempt.Granted
                    || (attempt instanceof Attempt.Busy && asked.claim().waited() != null);
            Claim sent = asked.inStore(asked.claim());
            actions.defer(() -> context.releases().onAcquireReply(sent, stands, error == null));
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(claim, granted, now, actions);
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(claim, busy.retryAfter(), now, actions);
        } else {
            failed(claim, error, now, actions);
        }
        step(now, actions);
        // The answer may have been for others. This comes after they have been served.
        endOverdue(now, actions);
        step(now, actions);
    }

    private void granted(LeasedClaim asked, Attempt.Granted answer, long now, DeferredActions actions) {
        if (!Attempt.isFence(answer.fence())) {
            StoreRefusal refusal = new StoreRefusal("The store granted lock '" + id.printable()
                    + "' with a fence that makes no token: fence=" + answer.fence());
            failed(asked, refusal, now, actions);
            return;
        }
        long longestDelay = ClaimLife.longestDelayNanos(answer.tether());
        if (asked.life().delay().toNanos() > longestDelay) {
            UnsupportedOperationException refusal = new UnsupportedOperationException("Lock '" + id.printable()
                    + "' has lockDelay=" + asked.life().delay() + ", and the session of the store allows "
                    + Duration.ofNanos(longestDelay) + ": choose a shorter delay or a longer session");
            failed(asked, refusal, now, actions);
            return;
        }
        if (asked.life().granted(answer.fence(), answer.tether(), now)) {
            retries.granted(now);
        } else {
            tooLate(asked, now, actions);
        }
    }

    /** Nobody else holds it: what was granted is given back, and asked for anew by those who still wait. */
    private void tooLate(LeasedClaim granted, long now, DeferredActions actions) {
        ClaimLife life = granted.life();
        StoreUnavailableException late = new StoreUnavailableException(whyTooLate(life, now), null);
        outlived = life.inStore(life.claim());
        releaseInBackground(granted, actions);
        retries.failed(late, false, now, context.timeouts());
        if (!mayRepeat(granted, late, now)) {
            retries.failedFor(now);
            endOverdue(now, actions);
        }
    }

    private static String whyTooLate(ClaimLife life, long now) {
        long lease = life.claim().lease().toMillis();
        return now < Deadline.endOf(life.sentNanos(), life.claim().lease())
                ? "the session with the store is not certain to last for longer than the lock delay:"
                        + " no sign of life of it was answered for too long: lockDelay=" + life.delay()
                : "the store answered after " + millis(now - life.sentNanos())
                        + " ms, which was after the lease had ended;"
                        + " a lease must outlast the store's answer: lease=" + lease + " ms";
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /**
     * Whether the answer to a request that is sent now may be about a grant of this client that came too late, and is
     * not given back yet.
     */
    private boolean isOutlivedHeld() {
        if (outlived != null && !context.releases().isPending(outlived)) {
            outlived = null;
        }
        return outlived != null;
    }

    private void busy(LeasedClaim asked, Duration retryAfter, long now, DeferredActions actions) {
        retries.busy(!besideOutlived, retryAfter, now - asked.life().sentNanos(), now, context.timeouts());
        boolean listed = asked.life().claim().waited() != null;
        asked.life().busy(listed);
        endOverdue(now, actions);
        if (!listed) {
            drop(asked);
            sendToLine(actions);
        } else if (retries.isWoken() && !queue.isEmpty()) {
            acquire(asked, now, actions);
        }
    }

    /** Whether this caller only asks whether there are permits: if not, it lines up with the others of its process. */
    private boolean asksFirst(Waiter waiter) {
        return alone && !waiter.request().standsAlone();
    }

    /** There are no permits: who asked for itself until now lines up, and polls no more than its process does. */
    private void sendToLine(DeferredActions actions) {
        Waiter asked = queue.isEmpty() ? null : queue.first();
        if (asked != null && asksFirst(asked) && !asked.isSingleAttempt()) {
            queue.remove(asked);
            if (!besideOutlived) {
                asked.answered();
            }
            asked.decide(Outcome.NoLease.LINE_UP);
            actions.notify(asked);
        }
    }

    private void failed(LeasedClaim asked, @Nullable Throwable error, long now, DeferredActions actions) {
        asked.life().unknown("no answer");
        drop(asked);
        withdraw(asked.life(), actions);
        retries.failed(error, asked.life().isConnecting(), now, context.timeouts());
        Supplier<RuntimeException> refusal = StoreClient.permanentRefusal(LockStore.causeOf(error));
        if (refusal != null) {
            // Others may want fewer permits.
            Mode refused = asked.life().claim().mode();
            endAll(waiter -> waiter.request().mode().equals(refused), refusal, actions);
        }
        if (refusal != null || !mayRepeat(asked, error, now)) {
            // The silence that one who came later meets has not lasted for an attempt yet.
            retries.failedFor(
                    error != null || asked.life().isConnecting()
                            ? now
                            : asked.life().sentNanos());
            endOverdue(now, actions);
        }
    }

    /**
     * Whether a single attempt is made once more: a server or a proxy may have ended a connection that was idle, which
     * shows when it is used. The repetition has another owner, so it does no harm if the first one was executed.
     */
    private boolean mayRepeat(LeasedClaim asked, @Nullable Throwable error, long now) {
        boolean soon = now - asked.life().sentNanos() <= context.timeouts().attemptNanos() / 4;
        return error != null && soon && !retries.isFailingAgain();
    }

    /** The store says that the name may be free, or that somebody requests or wants it. */
    void onWake(Wake wake, long now, DeferredActions actions) {
        if (wake instanceof Wake.Changed) {
            lookIfHeld(wake, now);
            onWake(kind.woken(wake, alone), now, actions);
        } else {
            onWanted(wake, now, actions);
        }
    }

    /** A claim that holds and is woken may have been ended by force. Then those who are queued here need another. */
    private void lookIfHeld(Wake wake, long now) {
        for (LeasedClaim held : allClaims()) {
            boolean isMeant = held.life().claim().owner().equals(wake.owner());
            if (isMeant && held.isHeld() && held.holds()) {
                held.life().look(now);
            }
        }
    }

    /**
     * The name may be free for the claim of this owner, which may be an earlier one than the current; null: for any.
     * Whatever a message says, the claim asks: others than the store may have sent it.
     */
    private void onWake(@Nullable OwnerId owner, long now, DeferredActions actions) {
        // A session may have ended before its time.
        expire(now, actions);
        LeasedClaim waiting = current;
        if (waiting != null
                && (owner == null || owner.equals(waiting.life().claim().owner()))) {
            if (!waiting.isIn(ClaimState.WAITING) || queue.isEmpty()) {
                retries.wokenWhileAsking();
            } else {
                acquire(waiting, now, actions);
            }
        }
        step(now, actions);
    }

    // ---- replies for held claims

    /** The store answered a renewal; null if it did not, and then there is a failure. */
    void onRenewalReply(
            ClaimLife renewed,
            @Nullable Renewal answer,
            @Nullable StoreUnavailableException failure,
            Duration length,
            long sentAtNanos,
            long now,
            DeferredActions actions) {
        LeasedClaim held = claimOf(renewed);
        if (held == null || !held.isHeld()) {
            return;
        }
        Claim claim = renewed.claim();
        if (answer == null) {
            renewed.renewalFailed(now);
            StoreUnavailableException why = Objects.requireNonNull(failure);
            long remainingNanos = renewed.deadline().nanos() - now;
            actions.defer(() -> context.observers().renewalFailed(claim, why, remainingNanos));
        } else if (renewed.renewalAnswered(answer, length, sentAtNanos, now)) {
            actions.defer(() -> context.observers().renewed(claim));
        } else {
            lost(held, now, actions);
        }
    }

    /** The store answered a conversion; null if it did not. */
    void onConversionReply(
            ClaimLife converted,
            @Nullable Attempt answer,
            @Nullable Throwable error,
            Duration length,
            long sentAtNanos,
            long now,
            DeferredActions actions) {
        converted.inFlight(null);
        LeasedClaim held = claimOf(converted);
        if (held == null && converted.isLeftClosed()) {
            // Nothing of it is released, and it ends in the store by itself.
            return;
        }
        if (held == null) {
            boolean granted = answer instanceof Attempt.Granted;
            actions.defer(() -> context.releases().onAcquireReply(converted.claim(), granted, answer != null));
        } else if (answer == null) {
            held.onConversionFailure(now);
            StoreUnavailableException failure =
                    StoreClient.notRenewed("lock '" + id.printable() + "'", error, now - sentAtNanos);
            Claim claim = converted.claim();
            long remainingNanos = converted.deadline().nanos() - now;
            actions.defer(() -> context.observers().renewalFailed(claim, failure, remainingNanos));
        } else {
            Renewal result = held.onConversionReply(answer) ? Renewal.HELD : Renewal.TAKEN;
            onRenewalReply(converted, result, null, length, sentAtNanos, now, actions);
        }
    }

    // ---- time

    /** Ends the leases whose time is over, and the claims behind them. */
    void expire(long now, DeferredActions actions) {
        LeasedClaim held = current;
        if (held != null) {
            expire(held, now, actions);
        }
        for (LeasedClaim other : aside) {
            expire(other, now, actions);
        }
    }

    private void expire(LeasedClaim held, long now, DeferredActions actions) {
        if (!held.isHeld()) {
            return;
        }
        if (held.life().expire(now)) {
            lost(held, now, actions);
        } else if (held.endOverdue(now, actions)) {
            if (held.isIdle()) {
                lose(held, LossCause.EXPIRED, now, actions);
            } else {
                step(now, actions);
            }
        }
    }

    private void lose(LeasedClaim held, LossCause cause, long now, DeferredActions actions) {
        held.life().lose(cause);
        lost(held, now, actions);
    }

    /** The claim is lost, and with it every lease on it. */
    private void lost(LeasedClaim held, long now, DeferredActions actions) {
        held.loseLeases(now, actions);
        heldUntil(held, now);
        // Nobody here relies on it any more; what the store still has of it only keeps others out,
        // unless that is what a delay is for.
        releaseInBackground(held, actions);
        step(now, actions);
    }

    /** Does what is due. */
    void tick(long now, Renewals renewals, DeferredActions actions) {
        expire(now, actions);
        acquireIfDue(now, actions);
        endOverdue(now, actions);
        for (LeasedClaim held : aside) {
            held.convertIfDue(now, actions);
        }
        step(now, actions);
        renew(false, now, renewals);
    }

    /** Puts the held claims into the batch that are due, or nearly so. */
    void renew(boolean early, long now, Renewals renewals) {
        for (LeasedClaim held : allClaims()) {
            held.renew(early, now, renewals);
        }
    }

    /** When something is due next. */
    long dueNanos() {
        long due = Math.min(acquireDueNanos(), queue.earliestDeadlineNanos());
        if (queue.hasOverdue()) {
            due = Math.min(due, patienceNanos(queue.firstOverdue()));
        }
        if (retries.isFailing() && !queue.isEmpty()) {
            long silentSince = retries.silentSinceNanos(queue.first().startNanos());
            due = Math.min(due, silentSince + context.timeouts().storeNanos());
        }
        if (current != null && current.isHeld()) {
            due = Math.min(due, current.dueNanos());
        }
        LeasedClaim open = openClaim();
        if (open != null) {
            // The first in the queue gets it then although it has not arrived, so that the claim does not end.
            due = Math.min(due, open.life().plannedRenewalNanos());
        }
        for (LeasedClaim other : aside) {
            due = Math.min(due, other.dueNanos());
        }
        return due;
    }

    // ---- the claims

    /** All of them, as they are now. */
    private List<LeasedClaim> allClaims() {
        LeasedClaim claim = current;
        if (aside.isEmpty()) {
            return claim == null ? List.of() : List.of(claim);
        }
        List<LeasedClaim> all = new ArrayList<>(aside);
        if (claim != null) {
            all.add(claim);
        }
        return all;
    }

    private @Nullable LeasedClaim claimOf(ClaimLife life) {
        LeasedClaim claim = current;
        if (claim != null && claim.life() == life) {
            return claim;
        }
        for (LeasedClaim other : aside) {
            if (other.life() == life) {
                return other;
            }
        }
        return null;
    }

    /** The claim of a lease; null if the lease is over. */
    private @Nullable LeasedClaim claimOf(EngineLease lease) {
        LeasedClaim claim = claimOf(lease.life());
        return claim != null && claim.holds(lease) ? claim : null;
    }

    /** Those who have waited behind this claim know that the name was not free, as if the store had said so. */
    private void heldUntil(LeasedClaim held, long now) {
        if (held == current) {
            retries.known(now);
        }
    }

    /** It is over for this name, whatever the store has of it. */
    private void drop(LeasedClaim gone) {
        if (gone == current) {
            current = null;
        } else {
            aside = aside.stream().filter(other -> other != gone).toList();
        }
    }

    /** Its holders keep the claim, and whoever comes next needs another. */
    private void putAside(LeasedClaim held) {
        current = null;
        List<LeasedClaim> others = new ArrayList<>(aside);
        others.add(held);
        aside = List.copyOf(others);
        held.open();
    }

    /** Drops a held claim that is not lost, and releases it. */
    private void giveBack(LeasedClaim held, DeferredActions actions) {
        held.life().releasing();
        releaseInBackground(held, actions);
    }

    /** Drops a claim, and releases what the store has of it, unless the name is to stay closed. */
    private void releaseInBackground(LeasedClaim dropped, DeferredActions actions) {
        drop(dropped);
        ClaimLife life = dropped.life();
        if (dropped.isUnsure()) {
            actions.defer(life::abandonConversion);
        }
        if (life.isLeftClosed() || !dropped.holds()) {
            return;
        }
        Outstanding outstanding = dropped.isUnsure() ? Outstanding.FURTHER_ACQUIRE : Outstanding.NOTHING;
        actions.release(context.releases(), life.claim(), life.endsInStoreNanos(), outstanding);
    }

    // ---- the kinds

    private static KindPolicy policyOf(LockKind kind) {
        return switch (kind) {
            case LOCK -> new LockPolicy();
            case READ_WRITE -> new ReadWritePolicy();
            case SEMAPHORE -> new SemaphorePolicy();
            case LATCH -> new LatchPolicy();
        };
    }
}
