package dev.interlock.simulation;

import java.util.Locale;
import java.util.PriorityQueue;

/**
 * The only clock and the only executor of a run. What is due at one moment happens in the order in which it was put.
 */
final class Timeline {

    private static final long SECOND = 1_000_000_000;

    /** More than any plan needs: seven calls, each of which holds for a minute, after faults of seconds. */
    static final long LONGEST_NANOS = 30 * 60 * SECOND;

    /** More than any number of processes of a plan has to do in a second: what does more spins. */
    static final int MOST_IN_A_SECOND = 20_000;

    private final PriorityQueue<Moment> queue = new PriorityQueue<>();
    private long nowNanos;
    private long sequence;

    /** How many events the present second has had. */
    private int inSecond;

    private record Moment(long atNanos, long sequence, Runnable event) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    /** A time in milliseconds, for people. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
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
        inSecond = next.atNanos() / SECOND == nowNanos / SECOND ? inSecond + 1 : 1;
        nowNanos = next.atNanos();
        next.event().run();
        return true;
    }

    /**
     * Whether what happens has no end: it goes on for longer than any plan, or spins, if only at one moment. How many
     * events a run has in all says nothing: clients that poll beside a long hold have many.
     */
    boolean isEndless() {
        return nowNanos > LONGEST_NANOS || inSecond > MOST_IN_A_SECOND;
    }

    /** How many events the present second has had. */
    int inSecond() {
        return inSecond;
    }
}
