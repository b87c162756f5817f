package dev.interlock.engine;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of a {@link ClaimLife}, and the legal moves between them. */
enum ClaimState {
    /** No acquire has been sent yet. */
    NEW,
    /** An acquire is under way. */
    ASKING,
    /** The store said busy and has listed the claim; it may grant it by a release, which shows when the claim asks. */
    WAITING,
    /** Granted, and renewed in time. */
    HELD,
    /** Granted, but the last renewal failed; the lease still runs. */
    AT_RISK,
    /**
     * The last holder, or the last waiter, has let go, and the release is under way. Renewal ends before the release is
     * sent.
     */
    RELEASING,
    /** Nothing is left of it in the store. */
    RELEASED,
    /** Its lease ended before it was released. */
    LOST,
    /** It is unknown whether the store holds it. It is released until its lease would have ended, and never renewed. */
    RESOLVING;

    private static final Map<ClaimState, Set<ClaimState>> NEXT = Map.of(
            NEW, EnumSet.of(ASKING),
            ASKING, EnumSet.of(HELD, WAITING, RELEASED, RESOLVING),
            WAITING, EnumSet.of(ASKING, RELEASING),
            HELD, EnumSet.of(AT_RISK, RELEASING, LOST),
            AT_RISK, EnumSet.of(HELD, RELEASING, LOST),
            RELEASING, EnumSet.of(RELEASED, RESOLVING, LOST));

    /** The states that may follow this one. */
    Set<ClaimState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Whether a holder may rely on the claim, as far as its lease runs. */
    boolean isHeld() {
        return this == HELD || this == AT_RISK;
    }
}
