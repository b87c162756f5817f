package dev.interlock.engine;

/** The answer of an arbiter to a caller that arrives. */
enum Admission {
    /** The caller is queued here, or has its outcome. */
    ADMITTED,
    /** The caller needs a claim of its own, at an arbiter of its own. */
    SENT_AWAY,
    /** The arbiter has retired; another one is in the map, or will be. */
    RETIRED
}
