package dev.interlock.support;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.Mark;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.time.Duration;

/**
 * What a busy claim that polls has to wait for, of which {@link Polling} makes the delay of its next poll.
 *
 * @param ahead how many waiters are served before it: none at a latch, which all pass at the same moment
 * @param heldMillis for how long the name has been held by the claim that ends first; at a latch, for how long the
 *     claim has waited; 0 while a free lock is reserved
 * @param leftMillis when that ends at the latest, unless a lease is renewed
 */
public record Outlook(int ahead, long heldMillis, long leftMillis) {

    /** How long a claim waits at most, before it asks again, if nothing says when the name is free. */
    private static final long UNKNOWN_MILLIS = 1_250;

    /**
     * The outlook of a claim on this name, whether it is listed as waiting or would be.
     *
     * @param nowMillis the time of the state, in milliseconds as all its times
     */
    public static Outlook of(NameState state, Claim claim, long nowMillis) {
        Duration waited = claim.waited();
        long waitedMillis = waited == null ? 0 : waited.toMillis();
        int ahead = state.id().kind() == LockKind.LATCH ? 0 : ahead(state, claim, nowMillis - waitedMillis);
        Mark reservation = state.reservation();
        if (reservation != null) {
            return new Outlook(ahead, 0, reservation.until() - nowMillis);
        }
        Holder first = null;
        for (Holder holder : state.holders()) {
            first = first == null || holder.until() < first.until() ? holder : first;
        }
        return first == null
                ? new Outlook(ahead, waitedMillis, UNKNOWN_MILLIS)
                : new Outlook(ahead, nowMillis - first.since(), first.until() - nowMillis);
    }

    private static int ahead(NameState state, Claim claim, long since) {
        Waiter listed = state.waiter(claim.owner());
        int ahead = 0;
        for (Waiter waiter : state.waiters()) {
            if (listed == null ? waiter.since() > since : waiter.owner().equals(claim.owner())) {
                break;
            }
            ahead += waiter.isQueued() ? 1 : 0;
        }
        return ahead;
    }
}
