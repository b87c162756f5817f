package dev.interlock.engine;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The callers of one name, first in first out, and how they end without a lease. Each can leave at any time. Not
 * thread-safe: guarded by the arbiter's monitor.
 */
final class CallerQueue {

    /** How long a caller whose time is over still waits for the store's first answer. */
    static final long GRACE_NANOS = Duration.ofMillis(30).toNanos();

    private final EngineCore core;
    private final LockId id;
    private final StoreDialogue store;
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** How many have a deadline that nobody else watches. */
    private int timed;

    /** How many want one attempt. */
    private int single;

    /** How many want a share of the name. */
    private int shared;

    CallerQueue(EngineCore core, LockId id, StoreDialogue store) {
        this.core = core;
        this.id = id;
        this.store = store;
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
        count(waiter, 1);
    }

    private void count(Waiter waiter, int one) {
        timed += waiter.needsTimer() ? one : 0;
        single += waiter.once() ? one : 0;
        shared += waiter.isShared() ? one : 0;
    }

    /** Takes it out, to be decided. */
    void remove(Waiter waiter) {
        if (waiters.remove(waiter)) {
            count(waiter, -1);
        }
    }

    /** Whether it waits here; if not, it has been decided. */
    boolean contains(Waiter waiter) {
        return waiters.contains(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    /** Whether all of them want a share. */
    boolean isAllShared() {
        return shared == waiters.size();
    }

    /** The one that has waited longest; there must be one. */
    Waiter first() {
        return waiters.iterator().next();
    }

    /**
     * When {@link #endOverdue} has something to do: the earliest deadline that nobody else watches, or the end of
     * patience with a silent store.
     */
    long dueNanos() {
        long earliest = Waiter.FOREVER;
        if (store.isFailing() && !waiters.isEmpty()) {
            earliest = store.silentSinceNanos(first().startNanos()) + core.storeTimeoutNanos();
        }
        if (timed > 0) {
            for (Waiter waiter : waiters) {
                if (waiter.needsTimer()) {
                    earliest = Math.min(earliest, waiter.deadlineNanos());
                }
            }
        }
        return earliest;
    }

    // ---- how they end

    /**
     * Whether nobody knows if the lock is free: the store has said nothing since the caller came.
     *
     * @param known whether it is known otherwise that it is not
     */
    boolean isUnanswered(Waiter waiter, boolean known) {
        return !known && !store.hasAnsweredSince(waiter.startNanos());
    }

    /** Without the lock: a refusal, or, if nobody knows whether the lock is free, the store's silence. */
    void turnAway(Waiter waiter, boolean known, long now, Effects effects) {
        remove(waiter);
        Object outcome =
                isUnanswered(waiter, known) ? core.silence(id, waiter, store.failure()) : Waiter.Refused.REFUSED;
        decide(waiter, outcome, now, effects);
    }

    /** Ends who is not, or no more, in the queue. */
    void decide(Waiter waiter, Object outcome, long now, Effects effects) {
        waiter.decide(outcome);
        effects.tell(waiter);
        core.events().gaveUp(id, now - waiter.startNanos(), effects);
    }

    /** Whoever wanted one attempt has had it. */
    void endSingleAttempts(long now, Effects effects) {
        if (single > 0) {
            List.copyOf(waiters).stream().filter(Waiter::once).forEach(waiter -> turnAway(waiter, false, now, effects));
        }
    }

    /** Ends those whose time is over, and those to whom the store has been silent for too long. */
    void endOverdue(boolean known, long now, Effects effects) {
        if (timed == 0 && !store.isFailing()) {
            return;
        }
        for (Waiter waiter : List.copyOf(waiters)) {
            if (isTimeOver(waiter, known, now)) {
                turnAway(waiter, known, now, effects);
            } else if (store.isFailing()
                    && now - store.silentSinceNanos(waiter.startNanos()) >= core.storeTimeoutNanos()) {
                remove(waiter);
                decide(waiter, core.silence(id, waiter, store.failure()), now, effects);
            }
        }
    }

    /** None of them can get it; each is told so with an exception of its own. */
    void endAll(Supplier<RuntimeException> reason, long now, Effects effects) {
        end(waiter -> true, reason, now, effects);
    }

    /** The same for those who want the name in this mode: others may want fewer permits. */
    void endAllInMode(Mode refused, Supplier<RuntimeException> reason, long now, Effects effects) {
        end(waiter -> waiter.request().mode().equals(refused), reason, now, effects);
    }

    private void end(Predicate<Waiter> those, Supplier<RuntimeException> reason, long now, Effects effects) {
        for (Waiter waiter : List.copyOf(waiters)) {
            if (those.test(waiter)) {
                remove(waiter);
                decide(waiter, reason.get(), now, effects);
            }
        }
    }

    private boolean isTimeOver(Waiter waiter, boolean known, long now) {
        long grace = isUnanswered(waiter, known) ? GRACE_NANOS : 0;
        return waiter.needsTimer() && now >= waiter.deadlineNanos() + grace;
    }
}
