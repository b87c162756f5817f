package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one name in this process, in front of one claim in the store.
 *
 * <pre>
 *   callers -> [ queue, first in first out ] -> the holder's lease
 *                                                 |  index 0, 1, 2 ... of
 *                                                 v
 *                                         one claim in the store
 * </pre>
 *
 * <p><b>How it goes on.</b> Whatever happens (a caller comes or goes, the store answers, a lease ends, time passes) changes the state under the monitor
 * and then asks {@link #step} for what follows:
 *
 * <ol>
 *   <li>no claim, nobody queued: the arbiter retires; no state is kept for an idle name
 *   <li>no claim, somebody queued: ask the store, unless it failed a moment ago
 *   <li>a claim that waits in the store, nobody queued: take it back
 *   <li>a claim that is held, without a lease on it: give it to the first in the queue, or back to the store
 *   <li>anything else: wait for the next event
 * </ol>
 *
 * <p>When a holder lets go and somebody is queued, the claim passes on inside the process, at no cost but a larger token. After a bounded number or time of
 * such hand-overs it is <em>replaced</em>: one acquire that ends the old claim, lets others in the store go first, and lines up again.
 *
 * <p><b>Guard.</b> All mutable fields are guarded by {@link #monitor}. Nothing is called under it that blocks, calls out, or takes another lock, but the
 * engine's map of arbiters. What has to be done outside is collected in {@link Effects}.
 */
final class Arbiter {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(10).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(500).toNanos();

    /** How long a caller whose time is over still waits for the store's first answer. */
    static final long GRACE_NANOS = Duration.ofMillis(40).toNanos();

    private final EngineCore core;
    private final LockId id;
    private final ReentrantLock monitor = new ReentrantLock();

    @GuardedBy("monitor")
    private final Set<Waiter> queue = new LinkedHashSet<>();

    @GuardedBy("monitor")
    private boolean retired;

    /** The claim in the store, from NEW to its last lease; null if there is none. */
    @GuardedBy("monitor")
    private @Nullable ClaimLife life;

    /** The lease of the present holder; null if nobody holds. */
    @GuardedBy("monitor")
    private @Nullable EngineLease lease;

    @GuardedBy("monitor")
    private int handOvers;

    /** When the claim stops waiting for a wake and asks by itself. */
    @GuardedBy("monitor")
    private long pollAtNanos = Waiter.FOREVER;

    /** A wake came while an acquire was under way: its answer may be older than the wake. */
    @GuardedBy("monitor")
    private boolean woken;

    /** Since when the store has been asked without a grant; the place in the store's list counts from here. */
    @GuardedBy("monitor")
    private long waitingSinceNanos = Waiter.FOREVER;

    @GuardedBy("monitor")
    private long answeredNanos = Long.MIN_VALUE;

    @GuardedBy("monitor")
    private int failures;

    @GuardedBy("monitor")
    private long askAgainNanos;

    @GuardedBy("monitor")
    private @Nullable Throwable failure;

    /** How many of the queued are asynchronous with a deadline. */
    @GuardedBy("monitor")
    private int timed;

    Arbiter(EngineCore core, LockId id) {
        this.core = core;
        this.id = id;
    }

    LockId id() {
        return id;
    }

    // ---- callers

    /**
     * A caller comes.
     *
     * @return false if this arbiter has retired, and another has to be taken
     */
    boolean submit(Waiter waiter) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            if (retired) {
                return false;
            }
            expire(effects);
            if (core.isClosed()) {
                refuse(waiter, core.closedException(id), effects);
            } else if (waiter.once() && (life != null || !queue.isEmpty())) {
                // Somebody of this process holds it or stands in line: the store need not be asked.
                refuse(waiter, Waiter.Refused.REFUSED, effects);
            } else {
                enqueue(waiter);
            }
            step(effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
        return true;
    }

    /**
     * A caller gives up: its time is over, or it was interrupted or cancelled.
     *
     * @param forGood false to leave it in the queue if the store owes it the first answer
     * @return false if it has an outcome already, which then counts, or was left in the queue
     */
    boolean abandon(Waiter waiter, boolean forGood) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            if (!queue.contains(waiter) || (!forGood && isUnanswered(waiter))) {
                return false;
            }
            dequeue(waiter);
            refuse(waiter, isUnanswered(waiter) ? core.silence(id, waiter, failure) : Waiter.Refused.REFUSED, effects);
            step(effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
        return true;
    }

    /** Whether the store has said nothing at all since the caller came, and the lock is not held here. */
    @GuardedBy("monitor")
    private boolean isUnanswered(Waiter waiter) {
        return lease == null && answeredNanos < waiter.startNanos();
    }

    // ---- holders

    /**
     * The holder lets go.
     *
     * @return what the caller has to wait for: a finished outcome, or the store's answer
     */
    Handback release(EngineLease released) {
        Effects effects = new Effects(this);
        Handback handback;
        monitor.lock();
        try {
            expire(effects);
            handback = end(released, effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
        return handback;
    }

    @GuardedBy("monitor")
    private Handback end(EngineLease released, Effects effects) {
        ClaimLife held = life;
        if (held == null || lease != released) {
            return Handback.finished(released.outcomeOfRepeatedRelease());
        }
        released.ended(core.now());
        lease = null;
        if (!queue.isEmpty() || core.isClosed()) {
            step(effects);
            return Handback.finished(ReleaseOutcome.RELEASED);
        }
        held.releasing();
        life = null;
        retire();
        return Handback.toStore(held);
    }

    /** Whether the lease is the present one and may still be relied upon; ends it if its time is over. */
    boolean check(EngineLease checked) {
        Effects effects = new Effects(this);
        boolean valid;
        monitor.lock();
        try {
            expire(effects);
            valid = lease == checked;
        } finally {
            monitor.unlock();
        }
        effects.run();
        return valid;
    }

    /** The present lease is over: somebody took it by force through this client. */
    void forced(OwnerId owner) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            ClaimLife held = life;
            if (held != null && held.state().isHeld() && held.claim().owner().equals(owner)) {
                held.lose(LossCause.FORCED);
                lost(held, effects);
            }
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** Adds a callback, or calls it if the lease is lost already. */
    void onLost(EngineLease watched, Runnable callback) {
        monitor.lock();
        try {
            if (watched.addCallback(callback)) {
                return;
            }
        } finally {
            monitor.unlock();
        }
        callback.run();
    }

    /** The name of the thread whose lease is the present one, for messages. */
    @Nullable
    String holderThread() {
        monitor.lock();
        try {
            return lease == null ? null : lease.threadName();
        } finally {
            monitor.unlock();
        }
    }

    // ---- the store

    /** Sends the acquire of a claim. Called without the monitor. */
    void send(ClaimLife sent) {
        CompletableFuture<Attempt> future = core.acquire(sent.claim());
        sent.inFlight(future);
        var unused = future.whenComplete((attempt, error) -> answered(sent, attempt, error));
    }

    private void answered(ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            asked.inFlight(null);
            if (asked != life) {
                // Nobody waited for it any more. It is being taken back; what the store did with it is known now.
                boolean granted = attempt instanceof Attempt.Granted;
                effects.also(() -> core.departures().answered(asked.claim(), granted, error == null));
            } else if (attempt instanceof Attempt.Granted granted) {
                granted(asked, granted.fence(), effects);
            } else if (attempt instanceof Attempt.Busy busy) {
                busy(asked, busy.retryAfter(), effects);
            } else {
                failed(asked, error, effects);
            }
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    @GuardedBy("monitor")
    private void granted(ClaimLife asked, long fence, Effects effects) {
        answeredNanos = core.now();
        failures = 0;
        if (asked.granted(fence, answeredNanos)) {
            waitingSinceNanos = Waiter.FOREVER;
            handOvers = -1;
        } else {
            life = null;
            effects.takeBack(core.departures(), asked.claim(), asked.endsInStoreNanos(), true);
        }
        step(effects);
    }

    @GuardedBy("monitor")
    private void busy(ClaimLife asked, Duration retryAfter, Effects effects) {
        answeredNanos = core.now();
        failures = 0;
        boolean listed = asked.claim().waited() != null;
        asked.busy(listed);
        if (!listed) {
            life = null;
            refuseOnce(effects);
        } else if (woken) {
            ask(asked, effects);
        } else {
            pollAtNanos = answeredNanos + Math.min(retryAfter.toNanos(), core.jitteredPollCap());
            core.arm(pollAtNanos);
        }
        step(effects);
    }

    @GuardedBy("monitor")
    private void failed(ClaimLife asked, @Nullable Throwable error, Effects effects) {
        asked.unknown("no answer");
        life = null;
        failure = error;
        takeBackUnknown(asked, effects);
        long backoff = Math.min(MAX_BACKOFF_NANOS, MIN_BACKOFF_NANOS << Math.min(failures, 10));
        failures++;
        askAgainNanos = core.now() + core.jittered(backoff);
        core.arm(askAgainNanos);
        failOnce(effects);
        step(effects);
    }

    /** The store says that the name may be free. */
    void wake() {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            ClaimLife waiting = life;
            if (waiting != null && waiting.state() == ClaimState.WAITING && !queue.isEmpty()) {
                ask(waiting, effects);
            } else {
                woken = waiting != null && waiting.state() == ClaimState.ASKING;
            }
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    // ---- renewal

    /** The store answered a renewal; null if it did not. */
    void renewed(ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            if (renewed != life || !renewed.state().isHeld()) {
                return;
            }
            long now = core.now();
            Claim claim = renewed.claim();
            if (answer == null) {
                renewed.renewalFailed(now);
                core.events().renewalFailed(claim, renewed.deadline().nanos() - now, effects);
            } else if (renewed.renewalAnswered(answer, length, sentAtNanos, now)) {
                core.events().renewed(claim, effects);
            } else {
                lost(renewed, effects);
            }
            core.arm(renewed.dueNanos());
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** The claim behind a lease, to be renewed with this length at once; null if the lease is over. */
    @Nullable
    ClaimLife extending(EngineLease extended, Duration length) {
        monitor.lock();
        try {
            ClaimLife held = life;
            if (held == null || lease != extended) {
                return null;
            }
            held.renewalSent(length, core.now());
            return held;
        } finally {
            monitor.unlock();
        }
    }

    // ---- time

    /**
     * Does what is due.
     *
     * @return when something is due next
     */
    long tick(Renewals renewals) {
        Effects effects = new Effects(this);
        long due;
        monitor.lock();
        try {
            long now = core.now();
            expire(effects);
            giveUpAsking(now, effects);
            endWaits(now, effects);
            poll(now, effects);
            step(effects);
            renew(now, renewals);
            due = dueNanos();
        } finally {
            monitor.unlock();
        }
        effects.run();
        return due;
    }

    /** Ends the present lease, and the claim behind it, if the time of either is over. */
    @GuardedBy("monitor")
    private void expire(Effects effects) {
        ClaimLife held = life;
        if (held == null || !held.state().isHeld()) {
            return;
        }
        long now = core.now();
        if (held.expire(now)) {
            lost(held, effects);
        } else if (lease != null && lease.isOver(now)) {
            held.lose(LossCause.EXPIRED);
            lost(held, effects);
        }
    }

    @GuardedBy("monitor")
    private void lost(ClaimLife gone, Effects effects) {
        life = null;
        EngineLease loser = lease;
        lease = null;
        if (loser != null) {
            loser.lost(gone, core.now(), effects);
        }
        // The caller relies on it no more; whatever the store still has of it only keeps others out.
        effects.takeBack(core.departures(), gone.claim(), gone.endsInStoreNanos(), true);
        step(effects);
    }

    @GuardedBy("monitor")
    private void giveUpAsking(long now, Effects effects) {
        ClaimLife asked = life;
        if (asked != null
                && asked.state() == ClaimState.ASKING
                && now - asked.sentNanos() >= core.attemptTimeoutNanos()) {
            failed(asked, null, effects);
        }
    }

    @GuardedBy("monitor")
    private void endWaits(long now, Effects effects) {
        if (timed == 0 && failures == 0) {
            return;
        }
        for (Waiter waiter : List.copyOf(queue)) {
            long silentSince = Math.max(answeredNanos, waiter.startNanos());
            if (waiter.needsTimer()
                    && now >= waiter.deadlineNanos()
                    && !(isUnanswered(waiter) && now < waiter.deadlineNanos() + GRACE_NANOS)) {
                dequeue(waiter);
                refuse(
                        waiter,
                        isUnanswered(waiter) ? core.silence(id, waiter, failure) : Waiter.Refused.REFUSED,
                        effects);
            } else if (failures > 0 && now - silentSince >= core.storeTimeoutNanos()) {
                dequeue(waiter);
                refuse(waiter, core.silence(id, waiter, failure), effects);
            }
        }
    }

    @GuardedBy("monitor")
    private void poll(long now, Effects effects) {
        ClaimLife waiting = life;
        if (waiting != null && waiting.state() == ClaimState.WAITING && now >= pollAtNanos && !queue.isEmpty()) {
            ask(waiting, effects);
        }
    }

    @GuardedBy("monitor")
    private void renew(long now, Renewals renewals) {
        ClaimLife held = life;
        if (held != null && held.wantsRenewal(now, held.claim().lease().toNanos() / Renewals.SLACK_DIVISOR)) {
            held.renewalSent(held.claim().lease(), now);
            renewals.add(this, held, now);
        }
    }

    @GuardedBy("monitor")
    private long dueNanos() {
        long due = Waiter.FOREVER;
        ClaimLife now = life;
        if (now == null) {
            due = queue.isEmpty() ? Waiter.FOREVER : askAgainNanos;
        } else if (now.state() == ClaimState.ASKING) {
            due = now.sentNanos() + core.attemptTimeoutNanos();
        } else if (now.state() == ClaimState.WAITING) {
            due = pollAtNanos;
        } else if (now.state().isHeld()) {
            due = Math.min(now.dueNanos(), lease == null ? Waiter.FOREVER : lease.endNanos());
        }
        if (timed > 0) {
            for (Waiter waiter : queue) {
                if (waiter.needsTimer()) {
                    due = Math.min(due, waiter.deadlineNanos() + (isUnanswered(waiter) ? GRACE_NANOS : 0));
                }
            }
        }
        return due;
    }

    // ---- what follows

    /** Decides what follows from the present state; see the class comment. */
    @GuardedBy("monitor")
    private void step(Effects effects) {
        ClaimLife now = life;
        if (now == null) {
            askOrRetire(effects);
        } else if (now.state() == ClaimState.WAITING || now.state() == ClaimState.ASKING) {
            if (queue.isEmpty()) {
                leave(now, effects);
            }
        } else if (now.state().isHeld() && lease == null) {
            handOn(now, effects);
        }
    }

    @GuardedBy("monitor")
    private void askOrRetire(Effects effects) {
        if (queue.isEmpty()) {
            retire();
        } else if (failures == 0 || core.now() >= askAgainNanos) {
            ClaimLife fresh = newLife(first(), null);
            life = fresh;
            ask(fresh, effects);
        } else {
            core.arm(askAgainNanos);
        }
    }

    /** Nobody waits for the claim any more. */
    @GuardedBy("monitor")
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
    @GuardedBy("monitor")
    private void handOn(ClaimLife held, Effects effects) {
        if (queue.isEmpty() || core.isClosed()) {
            held.releasing();
            life = null;
            effects.takeBack(core.departures(), held.claim(), held.endsInStoreNanos(), true);
            askOrRetire(effects);
            return;
        }
        Waiter next = first();
        if (mayPass(held, next)) {
            grant(held, next, effects);
        } else {
            replace(held, next, effects);
        }
    }

    /** Whether this claim is what the caller asked for, and its turn is not over. */
    @GuardedBy("monitor")
    private boolean mayPass(ClaimLife held, Waiter next) {
        if (!held.claim().lease().equals(next.term().length())) {
            return false;
        }
        if (handOvers < 0) {
            return true;
        }
        // A fixed lease counts from its own request; it cannot begin in the middle of another.
        return next.term().isRenewing()
                && handOvers < next.options().handOverCount()
                && core.now() - held.grantedNanos()
                        < next.options().handOverTime().toNanos();
    }

    @GuardedBy("monitor")
    private void grant(ClaimLife held, Waiter next, Effects effects) {
        dequeue(next);
        handOvers++;
        LeaseTerm term = next.term();
        held.renewing(term.isRenewing());
        EngineLease granted = new EngineLease(core, this, held, handOvers, term, next.threadName(), core.now());
        lease = granted;
        next.decide(granted);
        effects.tell(next);
        core.events().granted(granted, next, handOvers > 0, effects);
        core.arm(Math.min(held.dueNanos(), granted.endNanos()));
    }

    /** Gives others in the store their turn and lines up again, in one request. */
    @GuardedBy("monitor")
    private void replace(ClaimLife held, Waiter next, Effects effects) {
        held.releasing();
        ClaimLife fresh = newLife(next, held);
        life = fresh;
        ask(fresh, effects);
    }

    @GuardedBy("monitor")
    private ClaimLife newLife(Waiter next, @Nullable ClaimLife replaced) {
        Claim claim = core.newClaim(id, next.term().length(), next.threadName());
        return new ClaimLife(claim, replaced);
    }

    @GuardedBy("monitor")
    private void ask(ClaimLife asked, Effects effects) {
        Waiter next = first();
        long now = core.now();
        woken = false;
        pollAtNanos = Waiter.FOREVER;
        if (waitingSinceNanos == Waiter.FOREVER) {
            waitingSinceNanos = now;
        }
        Claim claim = asked.claim().withLease(next.term().length());
        if (!next.once()) {
            claim = claim.waiting(Duration.ofNanos(now - waitingSinceNanos));
        }
        asked.ask(claim, now);
        core.arm(now + core.attemptTimeoutNanos());
        core.events().asked(claim, effects);
        effects.ask(asked);
    }

    @GuardedBy("monitor")
    private void takeBackUnknown(ClaimLife asked, Effects effects) {
        CompletableFuture<?> future = asked.inFlight();
        effects.takeBack(core.departures(), asked.claim(), asked.endsInStoreNanos(), false);
        ClaimLife replaced = asked.replaced();
        if (replaced != null) {
            effects.takeBack(core.departures(), replaced.claim(), replaced.endsInStoreNanos(), true);
        }
        if (future != null) {
            effects.also(() -> future.cancel(false));
        }
    }

    // ---- the queue

    @GuardedBy("monitor")
    private Waiter first() {
        return queue.iterator().next();
    }

    @GuardedBy("monitor")
    private void enqueue(Waiter waiter) {
        queue.add(waiter);
        if (waiter.needsTimer()) {
            timed++;
            core.arm(waiter.deadlineNanos());
        }
    }

    @GuardedBy("monitor")
    private void dequeue(Waiter waiter) {
        queue.remove(waiter);
        if (waiter.needsTimer()) {
            timed--;
        }
    }

    @GuardedBy("monitor")
    private void refuse(Waiter waiter, Object outcome, Effects effects) {
        waiter.decide(outcome);
        core.events().gaveUp(id, core.now() - waiter.startNanos(), effects);
        effects.tell(waiter);
    }

    @GuardedBy("monitor")
    private void refuseOnce(Effects effects) {
        for (Waiter waiter : new ArrayList<>(queue)) {
            if (waiter.once()) {
                dequeue(waiter);
                refuse(waiter, Waiter.Refused.REFUSED, effects);
            }
        }
    }

    @GuardedBy("monitor")
    private void failOnce(Effects effects) {
        for (Waiter waiter : new ArrayList<>(queue)) {
            if (waiter.once()) {
                dequeue(waiter);
                refuse(waiter, core.silence(id, waiter, failure), effects);
            }
        }
    }

    @GuardedBy("monitor")
    private void retire() {
        if (!retired) {
            retired = true;
            core.retire(this);
        }
    }

    /** The client closes: everybody who waits is told so, and what is held goes back. */
    void close() {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            for (Waiter waiter : new ArrayList<>(queue)) {
                dequeue(waiter);
                refuse(waiter, core.closedException(id), effects);
            }
            EngineLease held = lease;
            if (held != null) {
                held.ended(core.now());
                lease = null;
            }
            step(effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
    }
}
