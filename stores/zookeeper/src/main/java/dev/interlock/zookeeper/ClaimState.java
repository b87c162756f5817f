package dev.interlock.zookeeper;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of a {@link LocalClaim}, and the moves between them. */
enum ClaimState {
    /** The claim has no node yet, or a request that creates one is under way or has an unknown outcome. */
    ENTERING,
    /** The claim has a node in the queue, and others are in its way. */
    WAITING,
    /** Nobody is in its way any more. The engine has been woken, and takes the grant when it asks again. */
    READY,
    /** The claim is granted. */
    HELD,
    /** The claim was granted, and its session ended first. This is remembered for a while, to name the cause. */
    LOST,
    /** The claim is released, expired, refused or given up. */
    ENDED;

    /** The legal moves. {@link #ENTERING} follows where a claim queues anew. */
    private static final Map<ClaimState, Set<ClaimState>> MOVES = new EnumMap<>(Map.of(
            ENTERING, EnumSet.of(ENTERING, WAITING, READY, HELD, ENDED),
            WAITING, EnumSet.of(ENTERING, READY, HELD, ENDED),
            READY, EnumSet.of(ENTERING, WAITING, HELD, ENDED),
            HELD, EnumSet.of(ENTERING, LOST, ENDED),
            LOST, EnumSet.of(ENTERING, ENDED),
            ENDED, EnumSet.of(ENTERING)));

    boolean mayBecome(ClaimState next) {
        return MOVES.getOrDefault(this, Set.of()).contains(next);
    }

    /** Whether the claim has a node that its session keeps alive. */
    boolean hasNode() {
        return this == WAITING || this == READY || this == HELD;
    }
}
