package dev.interlock.spi;

/** The kinds of lock a store tells apart. Two locks of one name and different kinds are different things, or an error where the store cannot hold both. */
public enum LockKind {
    /** The mutual exclusion lock: at most one claim. */
    LOCK
}
