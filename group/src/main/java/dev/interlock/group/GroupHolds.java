package dev.interlock.group;

import org.jspecify.annotations.Nullable;

/** Which threads hold one group, and how often. Each thread sees only its own entry, so there is nothing to guard. */
final class GroupHolds {

    // One table for each group: another group is another lock.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Hold> holds = new ThreadLocal<>();

    private static final class Hold {
        final GroupLease lease;
        int count = 1;

        Hold(GroupLease lease) {
            this.lease = lease;
        }
    }

    /** Counts one more, if the calling thread holds the group; false if not. Throws if it has lost it. */
    boolean reenter() {
        Hold hold = holds.get();
        if (hold == null) {
            return false;
        }
        hold.lease.ensureValid();
        if (hold.count == Integer.MAX_VALUE) {
            throw new IllegalStateException("Lock " + hold.lease.name() + " is held " + hold.count
                    + " times by this thread: the most that can be counted");
        }
        hold.count++;
        return true;
    }

    /** The calling thread has acquired the group. */
    void add(GroupLease lease) {
        holds.set(new Hold(lease));
    }

    /** The lease of the calling thread; null if it holds none. */
    @Nullable
    GroupLease lease() {
        Hold hold = holds.get();
        return hold == null ? null : hold.lease;
    }

    /** How often the calling thread has to unlock. */
    int count() {
        Hold hold = holds.get();
        return hold == null ? 0 : hold.count;
    }

    /** The calling thread, which holds the group, unlocks once; true if that was the last time. */
    boolean leave() {
        Hold hold = holds.get();
        hold.count--;
        if (hold.count > 0) {
            return false;
        }
        holds.remove();
        return true;
    }
}
