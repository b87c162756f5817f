package dev.interlock.simulation;

import java.util.concurrent.TimeUnit;

/**
 * Something that goes wrong.
 *
 * @param process the process that it strikes, from 0; of no meaning for a fault of the server
 * @param atNanos when it begins
 * @param lastsNanos for how long
 * @param size how bad it is: see the kind
 * @param server the server that it strikes, or the connections to it; {@link #ALL} for the connections to all
 */
record Fault(Kind kind, int process, long atNanos, long lastsNanos, long size, int server) implements Step {

    /** Instead of the number of a server. */
    static final int ALL = -1;

    /** What can go wrong. */
    enum Kind {
        /** Requests of a process vanish. */
        LOSE_REQUESTS,
        /** Replies to a process vanish. */
        LOSE_REPLIES,
        /** Wakes for a process vanish. */
        LOSE_WAKES,
        /** Each message of a process takes longer, by up to the size. */
        SLOW_NETWORK,
        /** A partition: what is sent arrives when it is over. */
        PARTITION,
        /** The process cannot connect: what it sends fails, and never leaves it. */
        REFUSED,
        /** The connection is reset, after what is under way was sent: some of it is executed, no reply arrives. */
        RESET,
        /** The server executes requests twice, one right after the other. */
        DUPLICATE,
        /** The process stands still, with its threads. */
        PAUSE,
        /** The process dies. */
        CRASH,
        /** The threads of the process run late, by up to the size. */
        LATE_THREADS,
        /** The server stands still. */
        SERVER_PAUSE,
        /** The server takes longer for each request, by up to the size. */
        SERVER_SLOW,
        /** The server dies and starts again, with all that it has written. */
        SERVER_RESTART,
        /** The server dies and starts again, without what it has written in the last moments: the size. */
        SERVER_FORGETS,
        /** Another server takes over, whose data is older by the size. */
        FAILOVER,
        /** The server's clock is set on by the size, or back. */
        CLOCK_STEP,
        /** Somebody ends by force what holds the names. */
        FORCE;

        /** Whether it loses messages or keeps them up, and nothing else. */
        boolean isOfNetwork() {
            return switch (this) {
                case LOSE_REQUESTS, LOSE_REPLIES, LOSE_WAKES, PARTITION, REFUSED, RESET, DUPLICATE -> true;
                default -> false;
            };
        }

        /** Whether a server comes back with less than it has confirmed. */
        boolean losesData() {
            return this == SERVER_FORGETS || this == FAILOVER;
        }

        /** Whether it is one of the server, and so of all processes. */
        boolean isOfServer() {
            return switch (this) {
                case SERVER_PAUSE, SERVER_SLOW, SERVER_RESTART, SERVER_FORGETS, FAILOVER, CLOCK_STEP, FORCE -> true;
                default -> false;
            };
        }
    }

    @Override
    public String describe() {
        String whom = kind.isOfServer() ? "" : " of " + Event.processName(process);
        return kind + whom + " at " + Timeline.millis(atNanos) + " ms"
                + (lastsNanos > 0 ? " for " + Timeline.millis(lastsNanos) + " ms" : "")
                + (server > 0 ? " at server " + server : "")
                + (size != 0 ? ", size " + TimeUnit.NANOSECONDS.toMicros(size) + " us" : "");
    }
}
