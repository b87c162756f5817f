package dev.interlock.spi;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a lock that is made of several others, or an adapter, needs of a lock besides its public interface. For the
 * thread-owned form a lock of several acquires and releases all of them at once, by handles, and each of them counts
 * the holds of the thread. The locks of a client implement it. Thread-safe.
 */
@SuppressWarnings("exports")
public interface GroupMember {

    /**
     * Makes a lease the hold of the calling thread, as if it had acquired it in the lock form.
     *
     * @param lease a lease that this lock has granted as a handle, and that no thread holds
     */
    void adopt(Lease lease);

    /**
     * Undoes one acquisition of the calling thread, as {@code unlock()} does, but releases nothing.
     *
     * @return the lease to release, if that was the last hold; else null
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     */
    @Nullable
    Lease leave();

    /**
     * Counts one more hold of the calling thread, for something that may end on another thread, such as a transaction.
     * Not a re-entry: a lock that is not re-entrant counts it, too.
     *
     * @return undoes it, on any thread, once, and releases nothing: the lease to release, if that was the last hold of
     *     the thread; else null
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     */
    Supplier<@Nullable Lease> share();

    /**
     * Whether the calling thread holds the other side of a read/write lock, so that it would wait for itself if it
     * waited for a handle of this side.
     */
    boolean isOtherSideHeld();

    /** The exception for a loss of this lock's lease that only its release has found. */
    LockLostException lossOf(Lease lease, LossCause cause);
}
