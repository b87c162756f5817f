package dev.interlock.group;

import org.jspecify.annotations.Nullable;

/** The threads that hold one group, and their hold counts. Each thread sees only its own entry: no guard is needed. */
final class GroupHolds {

    // One table for each group, because each group is a lock of its own.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Hold> holds = new ThreadLocal<>();

    private static final class Hold {
        final GroupLease lease;
        int count = 1;

        Hold(GroupLease lease) {
            this.lease = lease;
        }
    }

    /** Adds one to the count of the calling thread; false if it does not hold the group. Throws if it has lost it. */
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

    /** Records that the calling thread has acquired the group. */
    void add(GroupLease lease) {
        holds.set(new Hold(lease));
    }

    /** The lease of the calling thread; null if it holds none. */
    @Nullable
    GroupLease lease() {
        Hold hold = holds.get();
        return hold == null ? null : hold.lease;
    }

    /** How often the calling thread must unlock. */
    int count() {
        Hold hold = holds.get();
        return hold == null ? 0 : hold.count;
    }

    /** Takes one off the count of the calling thread, which holds the group; true if that was the last hold. */
    boolean exit() {
        Hold hold = holds.get();
        hold.count--;
        if (hold.count > 0) {
            return false;
        }
        holds.remove();
        return true;
    }
}
