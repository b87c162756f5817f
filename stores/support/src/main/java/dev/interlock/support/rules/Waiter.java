package dev.interlock.support.rules;

import dev.interlock.Party;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;

/**
 * A claim that waits.
 *
 * @param owner its owner
 * @param party who it is
 * @param mode what it waits for
 * @param since since when it has waited
 * @param arrival orders those that have waited since the same moment
 * @param until when it leaves the list unless it asks again
 * @param lasts the length that {@code until} was computed with; {@link NameState#UNKNOWN} if the store does not keep it
 * @param channel where the store reaches its client to wake it; empty if it cannot, and the client polls
 * @param isWoken whether it has been woken, or a free lock has been reserved for it, since it last asked
 */
public record Waiter(
        OwnerId owner,
        Party party,
        Mode mode,
        long since,
        long arrival,
        long until,
        long lasts,
        String channel,
        boolean isWoken)
        implements Entry<Waiter> {

    /**
     * Whether others have to reckon with it. A claim that is not in order leaves the queue when it is woken, and
     * returns to its place when it asks again: if it is dead, it costs nobody a turn.
     */
    public boolean isQueued() {
        return !isWoken || mode.inOrder();
    }

    /** Whether its client polls, because the store cannot wake it. */
    public boolean polls() {
        return channel.isEmpty();
    }

    /**
     * Nobody has come later than now: who comes from now on stands behind. That changes no places among those who wait,
     * for a clock also seems to be set back by a moment if a transaction had to wait after it had looked at it.
     */
    @Override
    public Waiter lasting(long newUntil) {
        return new Waiter(
                owner, party, mode, Math.min(since, newUntil - lasts), arrival, newUntil, lasts, channel, isWoken);
    }

    Waiter with(Mode newMode, long newUntil, long newLasts, String newChannel, boolean newWoken) {
        return new Waiter(owner, party, newMode, since, arrival, newUntil, newLasts, newChannel, newWoken);
    }
}
