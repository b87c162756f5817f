package dev.interlock.engine;

/**
 * The turn of one claim: how often it has passed from caller to caller in this process, and how often and how long it may. Not thread-safe: guarded by the
 * arbiter's monitor.
 */
final class Turn {

    private static final int NO_LEASE_YET = -1;

    private int handOvers = NO_LEASE_YET;

    /** The claim has just been granted. */
    void begin() {
        handOvers = NO_LEASE_YET;
    }

    /** The number of the next lease in its claim, which is its part of the token. */
    int next() {
        return ++handOvers;
    }

    /** Whether this claim is what the caller asked for, and its turn is not over. */
    boolean mayGoTo(Waiter next, ClaimLife held, long now) {
        if (!held.claim().lease().equals(next.term().length())) {
            return false;
        }
        if (handOvers == NO_LEASE_YET) {
            return true;
        }
        // A fixed lease counts from its own request; it cannot begin in the middle of another.
        return next.term().isRenewing()
                && handOvers < next.options().handOverCount()
                && now - held.grantedNanos() < Durations.nanos(next.options().handOverTime());
    }
}
