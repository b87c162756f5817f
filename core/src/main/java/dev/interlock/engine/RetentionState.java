package dev.interlock.engine;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of a {@link Retention}, and the legal moves between them. */
enum RetentionState {
    /** It is to be kept, and has a lease, or is about to get one. */
    IN_USE,
    /** It is kept without a lease: the next caller of this client takes it without the store. */
    IDLE,
    /** It is handled as any other claim: its holder lets go of it for good. */
    ORDINARY;

    private static final Map<RetentionState, Set<RetentionState>> NEXT =
            Map.of(IN_USE, EnumSet.of(IDLE, ORDINARY), IDLE, EnumSet.of(IN_USE, ORDINARY));

    /** The states that may follow this one. */
    Set<RetentionState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
