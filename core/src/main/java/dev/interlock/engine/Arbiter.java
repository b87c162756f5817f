package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Succession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The door to the {@link Arbitration} of one name: takes each event under the monitor, then does what was decided with
 * no lock held, and tells the supervisor when it wants to be looked at again. Thread-safe.
 */
final class Arbiter implements ClaimLife.Guard {

    private final EngineCore core;
    private final LockId id;
    private final ReentrantLock monitor = new ReentrantLock();

    @GuardedBy("monitor")
    private final Arbitration state;

    /** Nothing is due before this moment. Written under the monitor, read by sweeps without. */
    private volatile long dueNanos = Long.MIN_VALUE;

    Arbiter(EngineCore core, LockId id) {
        this.core = core;
        this.id = id;
        this.state = new Arbitration(core, this, id);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return monitor.isHeldByCurrentThread();
    }

    LockId id() {
        return id;
    }

    // ---- callers

    /**
     * A caller comes.
     *
     * @param alone whether it is the only one that this arbiter is for
     */
    Admission submit(Waiter waiter, boolean alone) {
        Effects effects = new Effects(this);
        Admission admission;
        monitor.lock();
        try {
            // An arbiter whose last lease ends here and now retires here and now, and must not take anybody.
            state.expire(core.now(), effects);
            admission = state.isRetired()
                    ? Admission.RETIRED
                    : alone || state.hasPlaceFor(waiter) ? Admission.ADMITTED : Admission.SENT_AWAY;
            if (admission == Admission.ADMITTED) {
                state.submit(waiter, core.now(), effects);
                arm();
            }
        } finally {
            monitor.unlock();
        }
        effects.run(waiter.lends());
        return admission;
    }

    /**
     * A caller gives up: its time is over, or it was interrupted or cancelled.
     *
     * @param forGood false to leave it in the queue if the store owes it the first answer
     * @return false if it has an outcome already, which then counts, or was left in the queue
     */
    boolean abandon(Waiter waiter, boolean forGood) {
        Effects effects = new Effects(this);
        boolean abandoned;
        monitor.lock();
        try {
            abandoned = state.abandon(waiter, forGood, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
        return abandoned;
    }

    /** A caller that was called is here. */
    void come(Waiter waiter) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.come(waiter, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    // ---- holders

    /** The holder lets go. */
    Handback release(EngineLease released) {
        Effects effects = new Effects(this);
        Handback handback;
        monitor.lock();
        try {
            handback = state.release(released, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
        return handback;
    }

    /** Whether the lease is the present one and may still be relied upon; ends it if its time is over. */
    boolean check(EngineLease checked) {
        Effects effects = new Effects(this);
        boolean valid;
        monitor.lock();
        try {
            state.expire(core.now(), effects);
            valid = state.holders().holds(checked);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
        return valid;
    }

    /** The claim of this owner was ended by force, through this client. */
    void forced(OwnerId owner) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.forced(owner, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** The lease is to last at least {@code wanted}; null if it is over. */
    @Nullable
    Extension extending(EngineLease extended, Duration wanted) {
        monitor.lock();
        try {
            return state.holders().extending(extended, wanted, core.now());
        } finally {
            monitor.unlock();
        }
    }

    /** Adds a callback, or calls it if the lease has ended already. */
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

    /** Adds a callback for when the lease is asked for, or calls it if it was asked for already. */
    void onRevocationRequested(EngineLease watched, Runnable callback) {
        boolean later;
        monitor.lock();
        try {
            later = state.holders().listen(watched, callback, core.now());
            arm();
        } finally {
            monitor.unlock();
        }
        if (!later) {
            callback.run();
        }
    }

    /**
     * The name of a thread that acquired a lease on the name, or a share of it, for messages; null if there is none.
     */
    @Nullable
    String holderThread(boolean share) {
        monitor.lock();
        try {
            return state.holders().leases(share).stream()
                    .map(EngineLease::threadName)
                    .findFirst()
                    .orElse(null);
        } finally {
            monitor.unlock();
        }
    }

    /** The client closes. */
    void close() {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.close(core.now(), effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    // ---- the store

    /** Sends the acquire of a claim, or does it on a thread that is lent. Called with no lock held. */
    void send(ClaimLife asked, boolean lent) {
        Claim claim = asked.claim();
        CompletableFuture<Attempt> future = core.acquire(claim, lent);
        asked.inFlight(future);
        var unused = future.whenComplete((attempt, error) -> answered(asked, attempt, error));
    }

    private void answered(ClaimLife asked, @Nullable Attempt attempt, @Nullable Throwable error) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.answered(asked, attempt, error, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** Acquires a held claim once more, as {@code shared}; decided at this moment. Called with no lock held. */
    void convert(ClaimLife held, Claim shared, long sentAtNanos) {
        CompletableFuture<Attempt> future = core.acquire(shared, false);
        held.inFlight(future);
        held.conversion(future.whenComplete((attempt, error) -> converted(held, attempt, shared.lease(), sentAtNanos)));
    }

    private void converted(ClaimLife held, @Nullable Attempt attempt, Duration length, long sentAtNanos) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.converted(held, attempt, length, sentAtNanos, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /**
     * The store says that the name may be free for the claim of this owner; null: for any. Or that this has been
     * granted, with a succession.
     */
    void wake(@Nullable OwnerId owner, @Nullable Succession succession) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.wake(owner, succession, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** The store says that somebody asks the claim of this owner to let go; null: any. */
    void asked(@Nullable OwnerId owner) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.holders().asked(owner, effects);
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    /** The store answered a renewal; null if it did not. */
    void renewed(ClaimLife renewed, @Nullable Renewal answer, Duration length, long sentAtNanos) {
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.renewed(renewed, answer, length, sentAtNanos, core.now(), effects);
            arm();
        } finally {
            monitor.unlock();
        }
        effects.run();
    }

    // ---- time

    /**
     * When something may be due earlier than before. The moment is written first: a sweep that has begun may overlook
     * it, and the one that is armed then does not.
     */
    @GuardedBy("monitor")
    private void arm() {
        dueNanos = state.dueNanos();
        core.arm(dueNanos);
    }

    /**
     * Does what is due, and leaves the requests that follow to the caller; returns when something is due next. Takes no
     * lock if nothing is: of thousands of names a sweep has something to do for a few.
     */
    long tick(Renewals renewals, List<Effects> requests) {
        long due = dueNanos;
        if (core.now() < due) {
            return due;
        }
        Effects effects = new Effects(this);
        monitor.lock();
        try {
            state.tick(core.now(), renewals, effects);
            due = state.dueNanos();
            dueNanos = due;
        } finally {
            monitor.unlock();
        }
        effects.announce();
        if (effects.hasRequests()) {
            requests.add(effects);
        }
        return due;
    }

    /** Adds the claim to a batch that is sent anyway, if it will be due soon. */
    void renewEarly(Renewals renewals) {
        if (core.now() + renewals.longestSlackNanos() < dueNanos) {
            return;
        }
        monitor.lock();
        try {
            state.renew(true, core.now(), renewals);
        } finally {
            monitor.unlock();
        }
    }
}
