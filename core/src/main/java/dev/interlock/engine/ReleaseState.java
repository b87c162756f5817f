package dev.interlock.engine;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of a {@link PendingRelease}, and the legal moves between them. */
enum ReleaseState {
    /** No release has been sent yet. */
    NEW,
    /** A release is under way, or about to be sent. */
    RELEASING,
    /**
     * A release is under way, and the reply to the acquire has arrived first: the claim stands. The store may have
     * executed the two in either order.
     */
    OVERTAKEN,
    /** The last release failed. The next one follows after a pause. */
    PAUSED,
    /**
     * The store has replied, but an acquire that is still under way may bring the claim back. The next release follows
     * after a pause.
     */
    ANSWERED,
    /** The store does not have the claim that was held until now, and a renewal asks it for the cause. */
    FINDING_CAUSE,
    /** Nothing is left in the store, or the store forgets the rest by itself. */
    DONE;

    private static final Map<ReleaseState, Set<ReleaseState>> NEXT = Map.of(
            NEW, EnumSet.of(RELEASING),
            RELEASING, EnumSet.of(RELEASING, OVERTAKEN, PAUSED, ANSWERED, FINDING_CAUSE, DONE),
            OVERTAKEN, EnumSet.of(RELEASING, PAUSED, DONE),
            PAUSED, EnumSet.of(RELEASING, DONE),
            ANSWERED, EnumSet.of(RELEASING, DONE),
            FINDING_CAUSE, EnumSet.of(DONE));

    /** The states that may follow this one. */
    Set<ReleaseState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
