package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a group, in the order in which every caller waits for them.
 *
 * @param locks in the order of their names, which differ
 * @param name the name of the group, for messages and events
 * @param barrier a side of a read/write lock: a thread that holds the other side may not lock the group; null if none
 */
record Members(List<DistributedLock> locks, String name, @Nullable GroupMember barrier) {

    /** Sorts and checks the members. */
    static Members of(Collection<DistributedLock> locks) {
        List<DistributedLock> sorted = locks.stream()
                .sorted(Comparator.comparing(DistributedLock::name))
                .toList();
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("A lock of several locks must have at least one member: it has 0");
        }
        for (DistributedLock lock : sorted) {
            if (!(lock instanceof GroupMember)) {
                throw new IllegalArgumentException("The members of a lock must be locks of an Interlock client, without"
                        + " anything around them: '" + Printable.of(lock.name()) + "' is a "
                        + lock.getClass().getName());
            }
        }
        for (int i = 1; i < sorted.size(); i++) {
            String name = sorted.get(i).name();
            if (name.equals(sorted.get(i - 1).name())) {
                throw new IllegalArgumentException(
                        "The members of a lock must have different names, by which they are" + " ordered: '"
                                + Printable.of(name) + "' comes twice; for one name in several stores take a quorum");
            }
        }
        String name = sorted.stream().map(DistributedLock::name).collect(Collectors.joining("', '", "['", "']"));
        return new Members(sorted, name, null);
    }

    // ---- the holds of the calling thread, which each member counts

    /** How often the thread has to unlock the whole: as often as the member that it holds the fewest times. */
    int holdCount() {
        return locks.stream().mapToInt(DistributedLock::holdCount).min().orElseThrow();
    }

    /**
     * Whether the thread holds all members.
     *
     * @throws IllegalStateException if it holds some of them only: it would wait for itself, since the group acquires
     *     handles of its members, which belong to no thread until it has all of them. Or if it holds the other side of
     *     the barrier
     */
    boolean areHeld() {
        if (holdCount() > 0) {
            return true;
        }
        if (barrier != null && barrier.isOtherSideHeld()) {
            throw new IllegalStateException(
                    "Thread '" + Printable.of(Thread.currentThread().getName()) + "' holds the read lock of '"
                            + Printable.of(name) + "'; whoever it waits for might wait for that: unlock it before");
        }
        for (int i = 0; i < locks.size(); i++) {
            DistributedLock lock = locks.get(i);
            boolean other = held(i).isOtherSideHeld();
            if (other || lock.holdCount() > 0) {
                throw new IllegalStateException("Thread '"
                        + Printable.of(Thread.currentThread().getName()) + "' holds "
                        + (other ? "the other side of " : "")
                        + "lock '" + Printable.of(lock.name()) + "', but not all of " + Printable.of(name)
                        + ", and would wait for itself: unlock it before");
            }
        }
        return false;
    }

    /**
     * Counts one more hold of each member; the thread holds all of them.
     *
     * @param trying whether a member that is not re-entrant is a refusal, and no error
     * @return false if it is refused
     * @throws LockLostException if the thread has lost a member
     */
    boolean reenter(boolean trying) {
        LockLostException loss = firstLoss(leases());
        if (loss != null) {
            // A member whose lost holds are forgotten would be acquired anew, and the others would be entered.
            throw loss;
        }
        int entered = 0;
        try {
            while (entered < locks.size() && enter(locks.get(entered), trying)) {
                entered++;
            }
        } finally {
            for (int i = 0; i < entered && entered < locks.size(); i++) {
                var unused = held(i).leave();
            }
        }
        return entered == locks.size();
    }

    private static boolean enter(DistributedLock member, boolean trying) {
        if (trying) {
            return member.tryLock();
        }
        member.lock();
        return true;
    }

    /** The thread holds these leases from now on, one of each member, in their order. */
    void adopt(List<Lease> leases) {
        for (int i = 0; i < leases.size(); i++) {
            held(i).adopt(leases.get(i));
        }
    }

    /** The leases of the thread, which holds all members. */
    List<Lease> leases() {
        return locks.stream().map(DistributedLock::heldLease).toList();
    }

    /**
     * Unlocks all members once. Those that are held for the last time are released at the same time.
     *
     * @throws LockLostException for the first member, in their order, that was lost
     */
    void unlock() {
        LockLostException loss = firstLoss(leases());
        List<Integer> last = new ArrayList<>(locks.size());
        List<Lease> toRelease = new ArrayList<>(locks.size());
        for (int i = 0; i < locks.size(); i++) {
            Lease lease = held(i).leave();
            if (lease != null) {
                last.add(i);
                toRelease.add(lease);
            }
        }
        List<ReleaseOutcome> outcomes = Leases.releaseEach(toRelease);
        for (int i = 0; i < outcomes.size() && loss == null; i++) {
            LossCause cause = outcomes.get(i).lossCause();
            loss = cause == null ? null : held(last.get(i)).lossOf(toRelease.get(i), cause);
        }
        if (loss != null) {
            throw loss;
        }
    }

    /**
     * Leaves all members to lapse, and ends the holds of the thread, which has one of each.
     *
     * @throws IllegalStateException if it has more holds of one
     * @throws LockLostException if a member was lost
     */
    void lapse(Duration after) {
        for (DistributedLock lock : locks) {
            if (lock.holdCount() > 1) {
                throw new IllegalStateException("Lock '" + Printable.of(lock.name()) + "' of " + Printable.of(name)
                        + " is held " + lock.holdCount()
                        + " times by this thread, and only its last hold can be left to lapse");
            }
        }
        List<Lease> leases = leases();
        LockLostException loss = firstLoss(leases);
        LossCause cause = new GroupLease(name, leases).lapse(after).lossCause();
        for (int i = 0; i < locks.size(); i++) {
            var unused = held(i).leave();
        }
        if (loss == null && cause != null) {
            // Which member it is does not show, and all were acquired at about the same time.
            LockLostException any = held(0).lossOf(leases.get(0), cause);
            loss = new LockLostException(
                    name, "unknown", any.token(), cause, any.heldFor(), any.sinceRenewal(), Duration.ZERO);
        }
        if (loss != null) {
            throw loss;
        }
    }

    private static @Nullable LockLostException firstLoss(List<Lease> leases) {
        for (Lease lease : leases) {
            try {
                lease.ensureValid();
            } catch (LockLostException e) {
                return e;
            } catch (IllegalStateException e) {
                // Closing its client released it, which is not a loss.
            }
        }
        return null;
    }

    private GroupMember held(int member) {
        return (GroupMember) locks.get(member);
    }

    // ---- status

    boolean isAnyLocked() {
        return locks.stream().anyMatch(DistributedLock::isLocked);
    }

    LockStatus inspect() {
        LockStatus all = new LockStatus(name, List.of(), List.of());
        for (DistributedLock lock : locks) {
            all = joined(all, lock.inspect());
        }
        return all;
    }

    private static LockStatus joined(LockStatus all, LockStatus one) {
        List<LockStatus.Holder> holders = new ArrayList<>(all.holders());
        List<LockStatus.Waiter> waiters = new ArrayList<>(all.waiters());
        holders.addAll(one.holders());
        waiters.addAll(one.waiters());
        return new LockStatus(all.name(), holders, waiters);
    }
}
