package dev.interlock.jdbc.claims;

/** The times the tables work with, in milliseconds of the database's clock. */
public final class Timing {

    /**
     * For how long a freed name is kept for the waiter whose turn it is: longer than two of its polls, so that it comes
     * in time, and short enough for a dead one to cost little.
     */
    public static final long RESERVED_MS = 120;

    /**
     * A holder that releases and asks again beats every poller. So whoever has waited this long gets its turn; until
     * then the quicker one may have it, which keeps the throughput of short holds.
     */
    static final long TURN_MS = 10;

    /**
     * How long a waiter that polls stays listed without asking again, whatever its lease: some dozens of polls. A dead
     * one is listed no longer than this.
     */
    static final long LISTED_MS = 2_000;

    /**
     * How long a claim that is in order keeps its place without asking again: so long a dead one keeps others waiting.
     */
    static final long PLACE_MS = 5_000;

    /** How often a claim that is in order and can be woken is let ask, at least, to keep its place. */
    static final long ASK_MS = PLACE_MS / 4;

    /**
     * How often any other claim that can be woken is let ask, at least, within the lease that it wants, which is as
     * long as it is listed.
     */
    static final long ASKS_PER_LEASE = 3;

    /** When a claim asks again that has just given others their turn, and can be woken. */
    static final long GAVE_TURN_MS = 100;

    /**
     * How long the mark of a forced release tells its owner; as long as the longest pause between two renewals of a
     * usual lease.
     */
    static final long FORCED_MS = 60_000;

    private Timing() {}
}
