package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Printable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the threads of this process hold, and how often: the table behind re-entry. Each thread sees only its
 * own entries, so the tables need no guard. An entry stays until its holds are undone, even if the lease is lost
 * meanwhile; it ends with its thread. Other threads undo holds that they were given ({@link Hold#share}), so the count
 * is atomic.
 */
final class ThreadHolds {

    // One table for each client, not for each class: two clients of one process are two owners.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Map<LockId, Hold>> holds = new ThreadLocal<>();

    /** One thread's hold on one lock. Thread-safe. */
    static final class Hold {
        private final EngineLease lease;

        /** Zero at the end, and never more after that. */
        private final AtomicInteger count = new AtomicInteger(1);

        Hold(EngineLease lease) {
            this.lease = lease;
        }

        EngineLease lease() {
            return lease;
        }

        int count() {
            return count.get();
        }

        /**
         * Counts one more hold. The lease has been checked.
         *
         * @return whether it does; not if another thread has undone the last one just now
         */
        boolean reenter() {
            int before = count.getAndUpdate(known -> known == 0 || known == Integer.MAX_VALUE ? known : known + 1);
            if (before == Integer.MAX_VALUE) {
                throw new IllegalStateException("Lock '" + Printable.of(lease.name()) + "' is held " + before
                        + " times by this thread: the most that can be counted");
            }
            return before > 0;
        }

        /** Counts one more hold, which any thread may undo, once: then it is told the lease to release, or null. */
        Supplier<@Nullable Lease> share() {
            AtomicBoolean undone = new AtomicBoolean(!reenter());
            return () -> undone.compareAndSet(false, true) && undo() ? lease : null;
        }

        /** Undoes one hold; whether that was the last. */
        private boolean undo() {
            return count.getAndUpdate(known -> known == 0 ? 0 : known - 1) == 1;
        }
    }

    /** The hold of the calling thread; null if it has none. */
    @Nullable
    Hold find(LockId id) {
        Map<LockId, Hold> mine = holds.get();
        Hold hold = mine == null ? null : mine.get(id);
        if (hold != null && hold.count() == 0) {
            // Another thread has undone the last one.
            remove(id);
            return null;
        }
        return hold;
    }

    /** The calling thread has acquired the lock. */
    void add(LockId id, EngineLease lease) {
        Map<LockId, Hold> mine = holds.get();
        if (mine == null) {
            mine = new HashMap<>(4);
            holds.set(mine);
        }
        mine.put(id, new Hold(lease));
    }

    /** The calling thread has no hold on the lock any more if it has lost it. */
    void forgetLost(LockId id) {
        Hold hold = find(id);
        if (hold != null && hold.lease.isLost()) {
            remove(id);
        }
    }

    /**
     * The calling thread unlocks once.
     *
     * @return whether that was the last time: the lease is to be released
     */
    boolean leave(LockId id, Hold hold) {
        if (!hold.undo()) {
            return false;
        }
        remove(id);
        return true;
    }

    private void remove(LockId id) {
        Map<LockId, Hold> mine = holds.get();
        if (mine != null) {
            mine.remove(id);
            if (mine.isEmpty()) {
                holds.remove();
            }
        }
    }
}
