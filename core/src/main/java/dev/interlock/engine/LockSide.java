package dev.interlock.engine;

import dev.interlock.engine.ThreadHolds.Hold;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of a lock are about: the whole of a plain lock, or one side of a read/write lock. Knows what a
 * thread's holds on one side mean for the other.
 *
 * @param type the type that it shows to the user
 * @param mode what its claims ask for
 * @param holds the holds of threads on this side
 * @param writes the holds on the write side, of the read side; else null
 * @param reads the holds on the read side, of the write side; else null
 */
record LockSide(String type, Mode mode, ThreadHolds holds, @Nullable ThreadHolds writes, @Nullable ThreadHolds reads) {

    static LockSide whole(ThreadHolds holds, boolean fair) {
        return new LockSide("DistributedLock", fair ? Mode.fair() : Mode.exclusive(), holds, null, null);
    }

    static LockSide read(ThreadHolds reads, ThreadHolds writes) {
        return new LockSide("ReadLock", Mode.shared(), reads, writes, null);
    }

    static LockSide write(ThreadHolds reads, ThreadHolds writes) {
        return new LockSide("WriteLock", Mode.fair(), writes, null, reads);
    }

    boolean isShared() {
        return writes != null;
    }

    /** For messages. */
    String of(LockId id) {
        return (writes != null ? "Read lock '" : reads != null ? "Write lock '" : "Lock '") + id.name() + "'";
    }

    /** For the read lock, the lease that the calling thread has on the write lock; null if it has none. */
    @Nullable
    EngineLease writeLease(LockId id) {
        Hold hold = writes == null ? null : writes.find(id);
        return hold == null ? null : hold.lease();
    }

    /** Whether the calling thread would wait for itself: it holds the read lock and asks for the write lock. */
    boolean isUpgrade(LockId id) {
        Hold hold = reads == null ? null : reads.find(id);
        if (hold != null) {
            hold.lease().ensureValid();
        }
        return hold != null;
    }

    void refuseUpgrade(LockId id) {
        if (isUpgrade(id)) {
            throw new IllegalStateException("Thread '" + Thread.currentThread().getName() + "' holds the read lock of '"
                    + id.name() + "' and would wait for itself for ever: unlock it before locking the write lock");
        }
    }
}
