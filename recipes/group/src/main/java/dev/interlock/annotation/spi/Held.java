package dev.interlock.annotation.spi;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call holds: a lease, and the lock if the thread owns it.
 *
 * @param owned null for a lease that belongs to no thread
 * @param members the locks that {@code owned} is made of
 * @param acquiredNanos when the call got it
 */
record Held(
        Lease lease,
        @Nullable DistributedLock owned,
        List<DistributedLock> members,
        LockedOperation operation,
        long acquiredNanos) {

    Held {
        operation.runs();
    }

    /**
     * Releases, or leaves the lock to lapse.
     *
     * @throws LockLostException if {@code lossCounts} and the lease was lost
     */
    void release(boolean lossCounts) {
        Duration left = operation.leftToLapse(acquiredNanos);
        try {
            if (owned != null) {
                unlock(owned, left);
            } else {
                try {
                    lease.ensureValid();
                } finally {
                    close(left);
                }
            }
        } catch (LockLostException e) {
            if (lossCounts) {
                throw e;
            }
        }
    }

    private static void unlock(DistributedLock lock, Duration left) {
        if (left.isZero() || lock.holdCount() > 1) {
            lock.unlock();
        } else {
            lock.lapse(left);
        }
    }

    private void close(Duration left) {
        ReleaseOutcome outcome = left.isZero() ? lease.release() : lease.lapse(left);
        if (outcome.isLost()) {
            // Perhaps only the store knew of it.
            lease.ensureValid();
        }
    }

    /** Releases after an exception of the body, which must not be hidden. */
    void releaseQuietly() {
        try {
            release(false);
        } catch (RuntimeException e) {
            LeaseEnd.warn(lease, e);
            lease.close();
        }
    }
}
