package dev.interlock.jdbc;

/** The times the tables work with, in milliseconds of the database's clock. */
final class Timing {

    /**
     * For how long a freed name is kept for the waiter whose turn it is: longer than two of its polls, so that it comes in time, and short enough for a dead
     * one to cost little.
     */
    static final long RESERVED_MS = 120;

    /**
     * A holder that releases and asks again beats every poller. So whoever has waited this long gets its turn; until then the quicker one may have it, which
     * keeps the throughput of short holds.
     */
    static final long TURN_MS = 10;

    /** How long a waiter stays listed without asking again, whatever its lease: some dozens of polls. A dead one is listed no longer than this. */
    static final long LISTED_MS = 2_000;

    /** How long the mark of a forced release tells its owner; as long as the longest pause between two renewals of a usual lease. */
    static final long FORCED_MS = 60_000;

    private Timing() {}
}
