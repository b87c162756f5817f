package dev.interlock;

import java.time.Duration;
import java.util.List;

/**
 * What the store knew about a name when it was asked. A snapshot: it may be over when the caller reads it.
 *
 * @param name the name
 * @param holders who holds it; empty if it is free
 * @param waiters who is known to wait for it, longest first, one entry for each waiting process; empty if the store keeps no list
 */
public record LockStatus(String name, List<Holder> holders, List<Waiter> waiters) {

    /** Copies the lists. */
    public LockStatus {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** Whether anybody holds it. */
    public boolean isLocked() {
        return !holders.isEmpty();
    }

    /**
     * One holder.
     *
     * @param owner the owner id of the claim
     * @param party who it is
     * @param heldFor how long the claim has stood, by the store's clock
     * @param remainingLease what is left of its lease, by the store's clock
     * @param token the fencing token of its first lease, to which hand-overs inside its process add; 0 if the holder is another client library that has none
     */
    public record Holder(String owner, Party party, Duration heldFor, Duration remainingLease, long token) {}

    /**
     * One waiting process.
     *
     * @param owner the owner id of the waiting claim
     * @param party who it is
     * @param waitingFor how long it has waited
     */
    public record Waiter(String owner, Party party, Duration waitingFor) {}
}
