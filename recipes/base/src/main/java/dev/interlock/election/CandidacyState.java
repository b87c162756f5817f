package dev.interlock.election;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of an {@link LockCandidacy}, and the legal moves between them. */
enum CandidacyState {
    /** It has not joined yet. */
    NEW,
    /** It waits for the lock. */
    WAITING,
    /** The lease is held, and the candidate is told or its task runs. */
    LEADING,
    /** It does not lead any more. The candidate is told or its task returns, and then the lease is released. */
    ENDING,
    /** The last acquire or task failed. The next acquire follows after a pause. */
    PAUSED,
    /** It has left the election. */
    LEFT;

    private static final Map<CandidacyState, Set<CandidacyState>> NEXT = Map.of(
            NEW, EnumSet.of(WAITING, LEFT),
            WAITING, EnumSet.of(WAITING, LEADING, PAUSED, LEFT),
            LEADING, EnumSet.of(ENDING),
            ENDING, EnumSet.of(WAITING, PAUSED, LEFT),
            PAUSED, EnumSet.of(WAITING, LEFT));

    /** The states that may follow this one. */
    Set<CandidacyState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
