package dev.interlock;

import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.List;

/**
 * What the store knew about a name when it was asked. A snapshot: it may be over when the caller reads it.
 *
 * @param name the name
 * @param kind the kind of lock
 * @param holders who holds it; empty if it is free, and for a latch
 * @param waiters who is known to wait for it, longest first, one entry for each waiting claim; empty if the store keeps
 *     no list
 * @param count of a semaphore its capacity, 0 if the store does not know of it; of a latch what is left to count down;
 *     of any other kind 1
 */
public record LockStatus(String name, LockKind kind, List<Holder> holders, List<Waiter> waiters, int count) {

    /** Copies the lists. */
    public LockStatus {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** The status of a mutual exclusion lock. */
    public LockStatus(String name, List<Holder> holders, List<Waiter> waiters) {
        this(name, LockKind.LOCK, holders, waiters, 1);
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
     * @param mode what it holds
     * @param heldFor how long the claim has stood, by the store's clock
     * @param remainingLease what is left of its lease, by the store's clock
     * @param token the fencing token of its first lease, to which hand-overs inside its process add; 0 if the holder is
     *     another client library that has none
     */
    public record Holder(String owner, Party party, Mode mode, Duration heldFor, Duration remainingLease, long token) {

        /** A holder of the whole. */
        public Holder(String owner, Party party, Duration heldFor, Duration remainingLease, long token) {
            this(owner, party, Mode.exclusive(), heldFor, remainingLease, token);
        }
    }

    /**
     * One waiting claim.
     *
     * @param owner the owner id of the waiting claim
     * @param party who it is
     * @param mode what it waits for
     * @param waitingFor how long it has waited
     */
    public record Waiter(String owner, Party party, Mode mode, Duration waitingFor) {

        /** One that waits for the whole. */
        public Waiter(String owner, Party party, Duration waitingFor) {
            this(owner, party, Mode.exclusive(), waitingFor);
        }
    }
}
