package dev.interlock.engine;

import dev.interlock.LockOptions;

/**
 * The turn of one claim: how often it was handed over in this process, and how often and how long it may be. Not
 * thread-safe: the arbiter's monitor guards it.
 */
final class HandOverTurn {

    private static final int NO_LEASE_YET = -1;

    /** More than the rounding of a requested length can add. */
    private static final long ROUNDING_NANOS = 1_000;

    private int handOvers = NO_LEASE_YET;
    private long endNanos;

    /** Begins the next lease; returns its number in the claim, which is its part of the token. */
    int next(Waiter next, ClaimLife held) {
        endNanos = endOf(next, held);
        return ++handOvers;
    }

    /** The number of the last lease that has begun. */
    int number() {
        return handOvers;
    }

    /** When the turn ends, by the options of the last holder. */
    long endNanos() {
        return endNanos;
    }

    /**
     * Whether this claim is what the caller asked for, and its turn is not over.
     *
     * @param wanted whether another client may want it: otherwise the turn ends with the room of the token
     */
    boolean mayGoTo(Waiter next, ClaimLife held, boolean wanted, long now) {
        if (handOvers == NO_LEASE_YET) {
            return isSameLength(next, held);
        }
        boolean over = wanted
                ? handOvers >= next.options().handOverCount() || now >= endOf(next, held)
                : handOvers >= LockOptions.MAX_HAND_OVERS;
        return !over && mayJoin(next, held, now);
    }

    /**
     * A fixed lease counts from its own request, so it cannot begin in the middle of another. A fixed share can, if the
     * claim lasts longer anyway: it ends by a bound of its own. A renewing lease cannot begin on a claim that was
     * extended beyond its length: if its holder dies, others should wait no longer than its term says.
     */
    private static boolean mayJoin(Waiter next, ClaimLife held, long now) {
        return next.term().isRenewing()
                ? isSameLength(next, held) && !isExtended(held, now)
                : next.isShared()
                        && Deadline.endOf(now, next.term().length())
                                <= held.deadline().nanos();
    }

    /** Whether the claim lasts longer than its length says. */
    static boolean isExtended(ClaimLife held, long now) {
        return held.deadline().nanos() > Deadline.endOf(now, held.claim().lease()) + ROUNDING_NANOS;
    }

    private static boolean isSameLength(Waiter next, ClaimLife held) {
        return held.claim().lease().equals(next.term().length());
    }

    private static long endOf(Waiter next, ClaimLife held) {
        return held.grantedNanos() + EngineClock.nanos(next.options().handOverTime());
    }
}
