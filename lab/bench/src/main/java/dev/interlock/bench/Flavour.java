package dev.interlock.bench;

/** The kind of lock that a scenario is about. */
enum Flavour {
    /** The plain lock. */
    PLAIN,
    /** The fair lock. */
    FAIR,
    /** The write side of a read/write lock. */
    WRITE,
    /** The read side. */
    READ,
    /** One permit of a semaphore that has {@value #PERMITS}. */
    PERMIT,
    /** {@value #MEMBERS} locks as one. */
    MULTI;

    /** Permits of the semaphore. */
    static final int PERMITS = 8;

    /** Members of the lock of several. */
    static final int MEMBERS = 5;
}
