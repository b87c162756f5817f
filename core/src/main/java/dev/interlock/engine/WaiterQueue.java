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

    /** How many have come. */
    private long arrivals;

    /** Nobody who waits here has come into the process after this moment. */
    private long latestNanos = Long.MIN_VALUE;

    /** How many have a deadline that nobody else watches. */
    private int timed;

    /** How many stay for the store's first answer, although their time is over. */
    private int overdue;

    /** How many want a share of the name. */
    private int shared;

    /** Lines one up. Who has asked for itself before goes before those who have come since. */
    void add(Waiter waiter) {
        List<Waiter> later = List.of();
        if (waiter.hasAsked() && waiter.startNanos() < latestNanos) {
            later = waiters.stream()
                    .filter(other -> other.startNanos() > waiter.startNanos())
                    .toList();
            later.forEach(waiters::remove);
        }
        waiters.add(waiter);
        waiters.addAll(later);
        waiter.arrived(++arrivals);
        latestNanos = Math.max(latestNanos, waiter.startNanos());
        count(waiter, 1);
    }

    private void count(Waiter waiter, int one) {
        timed += isTimed(waiter) ? one : 0;
        overdue += waiter.isOverdue() ? one : 0;
        shared += waiter.isShared() ? one : 0;
    }

    private static boolean isTimed(Waiter waiter) {
        return waiter.needsTimer() && !waiter.isOverdue();
    }

    /** The time of one that waits here is over, but it stays for the store's first answer. */
    void stay(Waiter waiter) {
        count(waiter, -1);
        waiter.stay();
        count(waiter, 1);
    }

    /** Takes it out, to be decided. */
    void remove(Waiter waiter) {
        if (waiters.remove(waiter)) {
            count(waiter, -1);
            latestNanos = waiters.isEmpty() ? Long.MIN_VALUE : latestNanos;
        }
    }

    /** Whether it waits here; if not, it has been decided. */
    boolean contains(Waiter waiter) {
        return waiters.contains(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** How many have come so far: the number of the last one. */
    long arrivals() {
        return arrivals;
    }

    int size() {
        return waiters.size();
    }

    /** Whether all of them want a share. */
    boolean isAllShared() {
        return shared == waiters.size();
    }

    /** Whether a deadline is to be watched. */
    boolean hasTimed() {
        return timed > 0;
    }

    /** Whether anybody stays for the store's first answer. */
    boolean hasOverdue() {
        return overdue > 0;
    }

    /** The one that has waited longest; there must be one. */
    Waiter first() {
        return waiters.iterator().next();
    }

    /** The one that came first of those who stay for the store's first answer; there must be one. */
    Waiter firstOverdue() {
        return waiters.stream().filter(Waiter::isOverdue).findFirst().orElseThrow();
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
                if (isTimed(waiter)) {
                    earliest = Math.min(earliest, waiter.deadlineNanos());
                }
            }
        }
        return earliest;
    }
}
