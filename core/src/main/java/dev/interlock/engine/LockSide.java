package dev.interlock.engine;

import dev.interlock.engine.ThreadHolds.Hold;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import org.jspecify.annotations.Nullable;

/**
 * One lock as its methods see it: a plain lock, or one side of a read/write lock. Knows what the holds of a thread on
 * one side mean for the other.
 *
 * @param type the name of the type that users see
 * @param mode the mode of its claims
 * @param holds the holds of threads on this side
 * @param writes for the read side, the holds on the write side; else null
 * @param reads for the write side, the holds on the read side; else null
 */
record LockSide(String type, Mode mode, ThreadHolds holds, @Nullable ThreadHolds writes, @Nullable ThreadHolds reads) {

    static LockSide plain(ThreadHolds holds, boolean fair) {
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

    /** The calling thread has no hold any more that it has lost, on neither side. */
    void forgetLost(LockId id) {
        holds.forgetLost(id);
        if (writes != null) {
            writes.forgetLost(id);
        }
        if (reads != null) {
            reads.forgetLost(id);
        }
    }

    /** The lock, for messages. */
    String of(LockId id) {
        return (writes != null ? "Read lock '" : reads != null ? "Write lock '" : "Lock '") + id.printable() + "'";
    }

    /** For the read lock, the lease that the calling thread has on the write lock; null if it has none. */
    @Nullable
    EngineLease writeLease(LockId id) {
        Hold hold = writes == null ? null : writes.find(id);
        return hold == null ? null : hold.lease();
    }

    /** Whether the calling thread holds the other side. */
    boolean isOtherHeld(LockId id) {
        ThreadHolds other = writes != null ? writes : reads;
        return other != null && other.find(id) != null;
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
            throw new IllegalStateException(
                    "Thread " + Waiter.describe(Thread.currentThread()) + " holds the read lock of '" + id.printable()
                            + "' and would wait for itself for ever: unlock it before locking the write lock");
        }
    }
}
