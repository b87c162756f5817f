package dev.interlock.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The callers of one name, first in first out. Each can leave at any time. Not thread-safe: the arbiter's monitor
 * guards it.
 */
final class WaiterQueue {

    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** How many have a deadline that nobody else watches. */
    private int timed;

    /** How many want one attempt. */
    private int single;

    /** How many want a share of the name. */
    private int shared;

    void add(Waiter waiter) {
        waiters.add(waiter);
        count(waiter, 1);
    }

    private void count(Waiter waiter, int one) {
        timed += waiter.needsTimer() ? one : 0;
        single += waiter.isSingleAttempt() ? one : 0;
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

    boolean hasTimed() {
        return timed > 0;
    }

    boolean hasSingleAttempts() {
        return single > 0;
    }

    /** The one that has waited longest; there must be one. */
    Waiter first() {
        return waiters.iterator().next();
    }

    /** A copy: the queue may change meanwhile. */
    List<Waiter> copy() {
        return List.copyOf(waiters);
    }

    /** The earliest deadline that nobody else watches. */
    long earliestDeadlineNanos() {
        long earliest = EngineClock.NEVER;
        if (timed > 0) {
            for (Waiter waiter : waiters) {
                if (waiter.needsTimer()) {
                    earliest = Math.min(earliest, waiter.deadlineNanos());
                }
            }
        }
        return earliest;
    }
}
