package dev.interlock.engine;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Where a claim is in its life, and where it may go from there. */
enum ClaimState {
    /** Made, not yet sent. */
    NEW,
    /** An acquire is on its way to the store or back. */
    ASKING,
    /** The store said busy and has listed the claim; it may grant it by itself. */
    WAITING,
    /** Granted, and renewed in time. */
    HELD,
    /** Granted, but the last renewal failed; the lease still runs. */
    AT_RISK,
    /** The last holder has let go and the release is on its way; renewal is over before the release is sent. */
    RELEASING,
    /** Nothing is left of it in the store. */
    RELEASED,
    /** Its lease ended before it was released. */
    LOST,
    /**
     * Whether the store holds it is unknown: it is released again and again until its lease would have ended, and never
     * renewed.
     */
    RESOLVING;

    private static final Map<ClaimState, Set<ClaimState>> NEXT = Map.of(
            NEW, EnumSet.of(ASKING),
            ASKING, EnumSet.of(HELD, WAITING, RELEASED, RESOLVING),
            WAITING, EnumSet.of(ASKING, HELD, RELEASING),
            HELD, EnumSet.of(AT_RISK, RELEASING, LOST),
            AT_RISK, EnumSet.of(HELD, RELEASING, LOST),
            RELEASING, EnumSet.of(RELEASED, RESOLVING, LOST),
            RESOLVING, EnumSet.of(RELEASED));

    /** The states that may follow this one. */
    Set<ClaimState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Whether a holder may rely on the claim, as far as its lease runs. */
    boolean isHeld() {
        return this == HELD || this == AT_RISK;
    }
}
