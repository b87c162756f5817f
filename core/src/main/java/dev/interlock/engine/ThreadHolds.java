package dev.interlock.engine;

import dev.interlock.spi.LockId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the threads of this process hold, and how often: the table behind re-entry. Each thread sees only its
 * own entries, so nothing needs a guard. An entry stays until its thread has unlocked as often as it locked, even if
 * the lease is lost meanwhile; it ends with its thread.
 */
final class ThreadHolds {

    // One table for each client, not for each class: two clients of one process are two owners.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Map<LockId, Hold>> holds = new ThreadLocal<>();

    /** One thread's hold on one lock. */
    static final class Hold {
        private final EngineLease lease;
        private int count = 1;

        Hold(EngineLease lease) {
            this.lease = lease;
        }

        EngineLease lease() {
            return lease;
        }

        int count() {
            return count;
        }

        /** Counts one more hold. The lease has been checked. */
        void reenter() {
            if (count == Integer.MAX_VALUE) {
                throw new IllegalStateException("Lock '" + lease.name() + "' is held " + count
                        + " times by this thread: the most that can be counted");
            }
            count++;
        }
    }

    /** The hold of the calling thread; null if it has none. */
    @Nullable
    Hold find(LockId id) {
        Map<LockId, Hold> mine = holds.get();
        return mine == null ? null : mine.get(id);
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
        hold.count--;
        if (hold.count > 0) {
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
