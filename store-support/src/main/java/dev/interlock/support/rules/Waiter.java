package dev.interlock.support.rules;

import dev.interlock.Party;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.util.Comparator;

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

    /** The order in which they wait. */
    public static final Comparator<Waiter> ORDER =
            Comparator.comparingLong(Waiter::since).thenComparingLong(Waiter::arrival);

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

    /** By the clock that was set back it has waited for as long as when it last asked: so it keeps its place. */
    @Override
    public Waiter lasting(long newUntil) {
        long setBack = until - newUntil;
        return new Waiter(owner, party, mode, since - setBack, arrival, newUntil, lasts, channel, isWoken);
    }

    Waiter with(Mode newMode, long newUntil, long newLasts, String newChannel, boolean newWoken) {
        return new Waiter(owner, party, newMode, since, arrival, newUntil, newLasts, newChannel, newWoken);
    }
}
