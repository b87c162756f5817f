package dev.interlock.evidence;

/** How servers are set up, so that a fault can strike them. */
enum Setup {
    /** As they come. */
    PLAIN,
    /** What is written is on the disk before it is answered. */
    DURABLE,
    /** They write to the disk, which is to fail. */
    ON_DISK,
    /** Their clock can be set. */
    SETTABLE_CLOCK,
    /** A replica is to take over at the same address. */
    REPLICATED,
    /** Sentinels are to let a replica take over for a master that is killed. */
    SENTINELS,
    /** The same for a master that is stopped, and goes on. */
    SENTINELS_STALE,
    /** A cluster whose masters have replicas. */
    CLUSTER_REPLICATED,
    /** A cluster of masters alone. */
    CLUSTER,
    /** Several servers with a leader. */
    LEADER,
    /** Somebody else's transactions are to get into deadlocks with the clients'. */
    DEADLOCKS
}
