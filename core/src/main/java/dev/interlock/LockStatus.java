package dev.interlock;

import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.List;

/**
 * The state of a name in the store at the moment of the request. A snapshot: it may be out of date when the caller
 * reads it.
 *
 * @param name the name
 * @param kind the kind of lock
 * @param holders the holders; empty if the name is free, and for a latch
 * @param waiters the known waiters, longest first, one entry for each waiting claim; empty if the store keeps no list
 * @param count the capacity of a semaphore, 0 if the store does not know it; the rest of the count of a latch; 1 for
 *     any other kind
 */
public record LockStatus(String name, LockKind kind, List<Holder> holders, List<Waiter> waiters, int count) {

    /** The rest of a lease without an end: 292 years, the longest time in nanoseconds. Only other programs make one. */
    public static final Duration NO_END = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * Copies the lists.
     *
     * @param name the name
     * @param kind the kind of lock
     * @param holders the holders
     * @param waiters the known waiters, longest first
     * @param count the capacity of a semaphore, the rest of the count of a latch, or 1
     */
    public LockStatus {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /**
     * Creates the status of a mutual exclusion lock.
     *
     * @param name the name
     * @param holders the holders
     * @param waiters the waiters
     */
    public LockStatus(String name, List<Holder> holders, List<Waiter> waiters) {
        this(name, LockKind.LOCK, holders, waiters, 1);
    }

    /** In one line: anybody may have written the texts. */
    @Override
    public String toString() {
        return Printable.of("LockStatus[name=" + name + ", kind=" + kind + ", holders=" + holders + ", waiters="
                + waiters + ", count=" + count + "]");
    }

    /** {@return whether anybody holds the name} */
    public boolean isLocked() {
        return !holders.isEmpty();
    }

    /**
     * One holder.
     *
     * @param owner the owner id of the claim
     * @param party the holding process and thread
     * @param mode what the claim holds
     * @param heldFor how long the claim has stood, by the store's clock
     * @param remainingLease the rest of its lease, by the store's clock, or {@link #NO_END}; a
     *     {@link LockOptions.Builder#lockDelay} comes on top
     * @param token the fencing token of its first lease, to which hand-overs inside its process add; 0 if the holder is
     *     another client library that has none
     */
    public record Holder(String owner, Party party, Mode mode, Duration heldFor, Duration remainingLease, long token) {

        /**
         * Creates a holder of the whole.
         *
         * @param owner the owner id of the claim
         * @param party the process and thread
         * @param heldFor how long the claim has stood, by the store's clock
         * @param remainingLease the rest of its lease, by the store's clock
         * @param token the fencing token of its first lease
         */
        public Holder(String owner, Party party, Duration heldFor, Duration remainingLease, long token) {
            this(owner, party, Mode.exclusive(), heldFor, remainingLease, token);
        }

        @Override
        public String toString() {
            return Printable.of("Holder[owner=" + owner + ", party=" + party + ", mode=" + mode + ", heldFor=" + heldFor
                    + ", remainingLease=" + remainingLease + ", token=" + token + "]");
        }

        /**
         * {@return whether the claim was left to lapse, by {@link Lease#lapse}} Then nobody holds it or renews it: the
         * party is the one that left it.
         */
        public boolean isLeft() {
            return new OwnerId(owner).isLeft();
        }
    }

    /**
     * One waiting claim.
     *
     * @param owner the owner id of the waiting claim
     * @param party the waiting process and thread
     * @param mode what the claim waits for
     * @param waitingFor how long the claim has waited
     */
    public record Waiter(String owner, Party party, Mode mode, Duration waitingFor) {

        /**
         * Creates a waiter for the whole.
         *
         * @param owner the owner id of the claim
         * @param party the process and thread
         * @param waitingFor how long the claim has waited
         */
        public Waiter(String owner, Party party, Duration waitingFor) {
            this(owner, party, Mode.exclusive(), waitingFor);
        }

        @Override
        public String toString() {
            return Printable.of("Waiter[owner=" + owner + ", party=" + party + ", mode=" + mode + ", waitingFor="
                    + waitingFor + "]");
        }
    }
}
