package dev.interlock.engine;

/** What an arbiter says to a caller that comes. */
enum Admission {
    /** It waits here, or is served already. */
    ADMITTED,
    /** It is better off with a claim of its own, at an arbiter of its own. */
    SENT_AWAY,
    /** The arbiter is over; there is another. */
    RETIRED
}
