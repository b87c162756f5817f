package dev.interlock.spi;

/**
 * The kinds of lock. Two locks of one name and different kinds are independent of each other, or an error where the
 * store cannot hold both.
 */
public enum LockKind {
    /** The mutual exclusion lock: at most one claim, {@link Mode.Exclusive}. */
    LOCK,
    /** The read/write lock: one claim that is {@link Mode.Exclusive}, or any number that are {@link Mode.Shared}. */
    READ_WRITE,
    /** The semaphore: claims of {@link Mode.Permits} up to its capacity. */
    SEMAPHORE,
    /**
     * The latch: a count, changed by {@link Command.SetCount} and {@link Command.CountDown}, and waited for by claims
     * of {@link Mode.AwaitZero}.
     */
    LATCH
}
