package dev.interlock.simulation;

import java.time.Duration;

/**
 * What stays the same during a run.
 *
 * @param seed what chance is made of
 * @param kind the kind of lock
 * @param polled whether the store cannot wake clients, counts in milliseconds, and has clients that poll, as a SQL
 *     database; else it wakes them, as Redis
 * @param ordered whether a process has one connection, so that all that it sends arrives in order; else it has a pool
 * @param processes how many there are
 * @param names how many there are
 * @param capacity how many permits a semaphore has
 * @param fastNanos the shortest time on the network
 * @param slowNanos the longest, without a fault
 * @param handOvers how often a claim is handed over inside a process at most
 * @param retainedNanos for how long a client keeps a lock that is released; 0: not at all
 * @param attemptTimeout how long a client waits for a reply
 */
record Setting(
        long seed,
        Kind kind,
        boolean polled,
        boolean ordered,
        int processes,
        int names,
        int capacity,
        long fastNanos,
        long slowNanos,
        int handOvers,
        long retainedNanos,
        Duration attemptTimeout) {

    /** How long the store may be silent before callers give up. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(3);

    /** How often a waiting claim asks if nobody wakes it. */
    static final Duration POLL_CAP = Duration.ofSeconds(1);

    /** The largest difference of a clock's speed: two clocks differ by less than a hundredth. */
    static final long DRIFT_PPM = 4_500;

    /** A few messages take so many times as long as the slowest of the others. */
    static final int SLOWER = 30;

    private static final int QUORUM_SERVERS = 3;

    /** The kinds of lock. */
    enum Kind {
        LOCK,
        FAIR,
        READ_WRITE,
        SEMAPHORE,
        /** Locks that are released early, whose holders may ask again at once. */
        EARLY,
        /** Plain locks of a quorum of servers, of which only one suffers more than its network. */
        QUORUM;

        /** Whether one holds at a time, so that tokens increase in the order of the leases. */
        boolean isExclusive() {
            return this == LOCK || this == FAIR || this == EARLY || this == QUORUM;
        }
    }

    /** How many servers there are. */
    int servers() {
        return kind == Kind.QUORUM ? QUORUM_SERVERS : 1;
    }

    /** The server that suffers: a minority. */
    int sick() {
        return (int) Long.remainderUnsigned(seed, servers());
    }

    /** The longest time to a server and back, without a fault. */
    long roundTripNanos() {
        return 2 * SLOWER * slowNanos;
    }

    /** The speed of a clock: of a process, or of the server behind the last one, and those behind it. */
    long driftPpm(int process) {
        return Chance.of(seed, 100 + process).between(-DRIFT_PPM, DRIFT_PPM);
    }

    /**
     * Whether the store queues requests until there is a connection, as those on SQL do: the engine then awaits the
     * reply to a request that it has given up.
     */
    boolean queues() {
        return seed % 3 == 0;
    }

    /** Whether the release of a fair lock grants it to the next in the queue, as on Redis. */
    boolean grants() {
        return !polled && seed % 2 == 0;
    }

    String describe() {
        return kind + ", " + processes + " processes, " + (polled ? "polled" : grants() ? "granted" : "woken") + ", "
                + (ordered ? "one connection each" : "pools of connections") + (queues() ? " with queues" : "")
                + ", network "
                + Timeline.millis(fastNanos) + " to " + Timeline.millis(slowNanos) + " ms, " + handOvers + " hand-overs"
                + (retainedNanos > 0 ? ", retained " + Timeline.millis(retainedNanos) + " ms" : "")
                + ", attempts of " + attemptTimeout.toMillis() + " ms";
    }
}
