package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The monitor of the {@link Arbitration} of one name: takes each event under it, tells the supervisor when something is
 * due next, and does what was decided with no lock held. Thread-safe.
 */
final class Arbiter implements Arbitration.Host, DeferredActions.Sender {

    /** Something that happens to the arbitration, under the monitor. */
    private interface Event<A, R> {
        R handle(Arbitration state, A argument, long now, DeferredActions actions);
    }

    /** An event without a result. */
    private interface Change {
        void handle(Arbitration state, long now, DeferredActions actions);
    }

    private final EngineContext context;
    private final LockId id;
    private final int number;
    private final Consumer<Arbiter> whenRetired;
    private final ReentrantLock monitor = new ReentrantLock();

    @GuardedBy("monitor")
    private final Arbitration state;

    /** Nothing is due before this moment. Written under the monitor, read by sweeps without. */
    private volatile long dueNanos = Long.MIN_VALUE;

    /**
     * @param alone whether this is for one caller only
     * @param number its hash
     * @param whenRetired called under the monitor
     */
    Arbiter(EngineContext context, LockId id, boolean alone, int number, Consumer<Arbiter> whenRetired) {
        this.context = context;
        this.id = id;
        this.number = number;
        this.whenRetired = whenRetired;
        this.state = new Arbitration(context, this, id, alone);
    }

    LockId id() {
        return id;
    }

    /** Places it in a set. With an identity hash each run would serve those of one name in another order. */
    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return monitor.isHeldByCurrentThread();
    }

    @Override
    public void retired() {
        whenRetired.accept(this);
    }

    /**
     * Takes the monitor, lets the event change the state, leaves the monitor, and does what was decided. An event that
     * has no need of more than its argument captures nothing, so that acquiring and releasing allocate nothing for it.
     *
     * @param lent whether this thread belongs to a caller that waits without limit for what is requested
     */
    private <A, R> R decide(boolean lent, A argument, Event<A, R> event) {
        DeferredActions actions = new DeferredActions(this);
        R result = decide(actions, argument, event);
        actions.run(lent);
        return result;
    }

    /** The same, without doing what was decided. */
    private <A, R> R decide(DeferredActions actions, A argument, Event<A, R> event) {
        monitor.lock();
        try {
            R result = event.handle(state, argument, context.now(), actions);
            // The moment is written first: a sweep that has begun may overlook it, and the one that is armed then does
            // not.
            dueNanos = state.dueNanos();
            context.supervisor().arm(dueNanos);
            return result;
        } finally {
            monitor.unlock();
        }
    }

    private <A, R> R decide(A argument, Event<A, R> event) {
        return decide(false, argument, event);
    }

    private void handle(Change change) {
        var unused = decide(change, (state, changing, now, actions) -> {
            changing.handle(state, now, actions);
            return true;
        });
    }

    // ---- callers

    /** A caller arrives; as {@link Arbitration#submit}. */
    boolean submit(Waiter waiter) {
        return decide(waiter.lends(), waiter, Arbitration::submit);
    }

    /**
     * A caller gives up: its time is over, it was interrupted or cancelled, or an observer ends its wait.
     *
     * @param forGood false to leave it in the queue if the store owes it the first reply
     * @param reason what it gets; null: what there is to say
     * @return false if it has an outcome already, which then counts, or was left in the queue
     */
    boolean abandon(Waiter waiter, boolean forGood, @Nullable RuntimeException reason) {
        return decide(waiter, (state, leaving, now, actions) -> state.abandon(leaving, forGood, reason, now, actions));
    }

    /** A caller that was signalled is here. */
    void onArrival(Waiter waiter) {
        handle((state, now, actions) -> state.onArrival(waiter, now, actions));
    }

    // ---- holders

    @Override
    public ReleaseDecision release(EngineLease released) {
        return decide(released, Arbitration::release);
    }

    @Override
    public ReleaseDecision lapse(EngineLease left) {
        return decide(left, Arbitration::lapse);
    }

    @Override
    public boolean keep(EngineLease kept) {
        return decide(kept, Arbitration::keep);
    }

    @Override
    public int reduce(EngineLease reduced, int permits) {
        return decide(reduced, (state, lease, now, actions) -> state.reduce(lease, permits, now, actions));
    }

    @Override
    public boolean check(EngineLease checked) {
        return decide(checked, (state, lease, now, actions) -> {
            state.expire(now, actions);
            return state.holds(lease);
        });
    }

    @Override
    public @Nullable Extension extend(EngineLease extended, Duration wanted) {
        monitor.lock();
        try {
            return state.extend(extended, wanted, context.now());
        } finally {
            monitor.unlock();
        }
    }

    @Override
    public void onLost(EngineLease watched, Runnable callback) {
        boolean later = decide(watched, (state, lease, now, actions) -> lease.addLossCallback(callback));
        if (!later) {
            callback.run();
        }
    }

    @Override
    public void onRevocationRequested(EngineLease watched, Runnable callback) {
        boolean later =
                decide(watched, (state, lease, now, actions) -> state.addRevocationCallback(lease, callback, now));
        if (!later) {
            callback.run();
        }
    }

    /** The claim of this owner was ended by force, through this client. */
    void forced(OwnerId owner) {
        handle((state, now, actions) -> state.forced(owner, now, actions));
    }

    /** The callers in line that no claim in the store stands for, the longest waiting first. */
    List<LockStatus.Waiter> unlistedWaiters() {
        monitor.lock();
        try {
            return state.unlistedWaiters(context.now());
        } finally {
            monitor.unlock();
        }
    }

    /** How many leases there are. */
    int leaseCount() {
        monitor.lock();
        try {
            return state.leaseCount();
        } finally {
            monitor.unlock();
        }
    }

    /** A thread that acquired a lease on the name, or a share of it, for messages; null if there is none. */
    @Nullable
    String holderThread(boolean share) {
        monitor.lock();
        try {
            return state.holderThread(share);
        } finally {
            monitor.unlock();
        }
    }

    @Override
    public WorkLease.@Nullable Work begin(
            EngineLease needed, WorkLease.Place place, @Nullable Consumer<@Nullable LossCause> whenOver) {
        monitor.lock();
        try {
            return state.begin(needed, place, whenOver);
        } finally {
            monitor.unlock();
        }
    }

    /** The client closes; returns the leases that are left, which code of the user needs. */
    List<EngineLease> close() {
        return decide(id, (state, unused, now, actions) -> state.close(now, actions));
    }

    /** The client has closed, and what is left runs out. */
    void letRunOut() {
        handle((state, now, actions) -> state.letRunOut());
    }

    // ---- the store

    /**
     * A store that answers at once, as one in memory does, is asked here for the next claim, too: from the answer it
     * would be asked a few frames deeper for each of many permits.
     */
    @Override
    public void sendAcquire(ClaimLife asked, boolean lent) {
        ClaimLife next = asked;
        boolean isLent = lent;
        while (next != null) {
            CompletableFuture<?> releases = context.releases().preceding(id);
            if (releases != null && !context.store().keepsOrder()) {
                sendAcquireAfter(releases, next);
                return;
            }
            next = send(next, isLent, releases);
            isLent = false;
        }
    }

    /**
     * Sends an acquire, and returns the one that follows from its answer if that is there already.
     *
     * @param releases the end of the releases of this client that the store is to execute before; null: of none. If it
     *     did not, the claim may be busy because of one of them
     */
    private @Nullable ClaimLife send(ClaimLife asked, boolean lent, @Nullable CompletableFuture<?> releases) {
        context.observers().requested(asked.claim());
        CompletableFuture<Attempt> future = context.store().acquire(asked.inStore(asked.claim()), lent);
        asked.inFlight(future);
        if (future.isDone()) {
            return future.handle((attempt, error) -> answered(asked, releases, attempt, error))
                    .join();
        }
        var unused = future.whenComplete((attempt, error) -> {
            ClaimLife next = answered(asked, releases, attempt, error);
            if (next != null) {
                sendAcquire(next, false);
            }
        });
        return null;
    }

    /** Takes the answer to an acquire in, and returns the claim to ask for next. */
    private @Nullable ClaimLife answered(
            ClaimLife asked,
            @Nullable CompletableFuture<?> releases,
            @Nullable Attempt attempt,
            @Nullable Throwable error) {
        if (releases != null
                && attempt instanceof Attempt.Busy
                && decide(asked, (state, life, now, actions) -> life.overtook())) {
            sendAcquireAfter(releases, asked);
            return null;
        }
        DeferredActions actions = new DeferredActions(this);
        var unused = decide(actions, asked, (state, life, now, deferred) -> {
            state.onAcquireReply(life, attempt, error, now, deferred);
            return true;
        });
        return actions.runUpToAcquire();
    }

    /** Until then it can be withdrawn, as from the queue of a store. */
    private void sendAcquireAfter(CompletableFuture<?> releases, ClaimLife asked) {
        QueuedAnswer<Attempt> queued = new QueuedAnswer<>();
        asked.inFlight(queued);
        var unused = releases.whenComplete((outcomes, failure) -> {
            if (queued.begin()) {
                ClaimLife next = send(asked, false, null);
                if (next != null) {
                    sendAcquire(next, false);
                }
            }
        });
    }

    @Override
    public void sendConversion(ClaimLife held, Claim shared, long sentAtNanos) {
        CompletableFuture<Attempt> future = context.store().acquire(held.inStore(shared), false);
        held.inFlight(future);
        Duration length = shared.lease();
        // Not a stage of the reply: whoever abandons the conversion completes this, and the reply is still taken in.
        CompletableFuture<Void> takenIn = new CompletableFuture<>();
        held.conversion(takenIn);
        var unused = future.whenComplete((attempt, error) -> {
            try {
                handle((state, now, actions) ->
                        state.onConversionReply(held, attempt, error, length, sentAtNanos, now, actions));
            } finally {
                // A writer that lets go may wait for it.
                takenIn.complete(null);
            }
        });
    }

    /** The store says that the name may be free, or that somebody requests or wants it. */
    void onWake(Wake wake) {
        handle((state, now, actions) -> state.onWake(wake, now, actions));
    }

    @Override
    public void onRenewalReply(
            ClaimLife renewed,
            @Nullable Renewal answer,
            @Nullable StoreUnavailableException failure,
            Duration length,
            long sentAtNanos) {
        handle((state, now, actions) ->
                state.onRenewalReply(renewed, answer, failure, length, sentAtNanos, now, actions));
    }

    // ---- time

    /**
     * Does what is due, and leaves the requests that follow to the caller; returns when something is due next. Takes no
     * lock if nothing is: of thousands of names a sweep has something to do for a few.
     */
    long tick(Renewals renewals, List<DeferredActions> requests) {
        long due = dueNanos;
        if (context.now() < due) {
            return due;
        }
        DeferredActions actions = new DeferredActions(this);
        monitor.lock();
        try {
            state.tick(context.now(), renewals, actions);
            due = state.dueNanos();
            dueNanos = due;
        } finally {
            monitor.unlock();
        }
        actions.runLocal();
        if (actions.hasRequests()) {
            requests.add(actions);
        }
        return due;
    }

    /** Adds the claim to a batch that is sent anyway, if it will be due soon. */
    void renewEarly(Renewals renewals) {
        if (context.now() + renewals.longestSlackNanos() < dueNanos) {
            return;
        }
        monitor.lock();
        try {
            state.renew(true, context.now(), renewals);
        } finally {
            monitor.unlock();
        }
    }
}
