package dev.interlock.mongodb;

/** The times the documents work with, in milliseconds of the server's clock. */
final class Timing {

    /**
     * How long a claim that is in order keeps its place without asking again: so long a dead one keeps others waiting.
     */
    static final long PLACE_MS = 5_000;

    /** How long any other waiter stays listed without asking again. */
    static final long LISTED_MS = 2_000;

    /** For how long a freed name is kept for the waiter whose turn it is: two of its polls. */
    static final long RESERVED_MS = 150;

    /**
     * Whoever has waited this long gets its turn; until then the quicker one may have the name, which keeps the
     * throughput of short holds.
     */
    static final long TURN_MS = 10;

    /** What has lasted for so long is waited for without polls, where turns are told: until then a poll is quicker. */
    static final long LONG_MS = 100;

    /**
     * How long the mark of a forced release tells its owner; as long as the longest pause between two renewals of a
     * usual lease.
     */
    static final long FORCED_MS = 60_000;

    /**
     * How long a document stays after everything in it is over, for the sake of its fence. Longer than the clocks of
     * two servers, of which one takes over from the other, differ.
     */
    static final long KEPT_MS = 3_600_000;

    private Timing() {}
}
