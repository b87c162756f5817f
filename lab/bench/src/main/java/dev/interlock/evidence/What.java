package dev.interlock.evidence;

/** What an event of a history is. */
enum What {
    /** A client begins to ask for the lock. It wants it until it holds, leaves or is killed. */
    ASKS,
    /** It was told that it does not get the lock in its time; it asks again. */
    BUSY,
    /** The library threw an exception instead; it asks again. */
    FAILED,
    /** It has acquired the lock. */
    HOLDS,
    /** It goes on with its work for as long as it is told to. */
    STAYS,
    /** The resource took a write. */
    WROTE,
    /** The resource refused a write because of its token. */
    REFUSED,
    /** The library said that the lock is lost, and the client stopped its work. */
    LOST,
    /** It has done its work, and begins to release. */
    RELEASES,
    /** The release returned. */
    RELEASED,
    /** The release threw an exception. */
    UNRELEASED,
    /** It asks no more. */
    LEAVES,
    /** Its process was killed. */
    KILLED,
    /** A fault begins: of this client, of the server if the client is 0, or of neither if it is -1: both can work. */
    STRIKES,
    /** The fault is over. */
    HEALED,
    /** The fault that has just been healed is proven to have hit. */
    HIT
}
