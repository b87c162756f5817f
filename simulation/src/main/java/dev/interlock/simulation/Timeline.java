package dev.interlock.simulation;

import java.util.PriorityQueue;

/**
 * The only clock and the only executor of a run. What is due at one moment happens in the order in which it was put.
 */
final class Timeline {

    private final PriorityQueue<Moment> queue = new PriorityQueue<>();
    private long nowNanos;
    private long sequence;

    private record Moment(long atNanos, long sequence, Runnable event) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    /** The true time, from 0. */
    long now() {
        return nowNanos;
    }

    /** Puts an event; one whose time is over happens next. */
    void at(long atNanos, Runnable event) {
        queue.add(new Moment(Math.max(nowNanos, atNanos), sequence++, event));
    }

    void after(long nanos, Runnable event) {
        at(nowNanos + nanos, event);
    }

    /** Lets the next event happen; returns false if there is none. */
    boolean step() {
        Moment next = queue.poll();
        if (next == null) {
            return false;
        }
        nowNanos = next.atNanos();
        next.event().run();
        return true;
    }
}
