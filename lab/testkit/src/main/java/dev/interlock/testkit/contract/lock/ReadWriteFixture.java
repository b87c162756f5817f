package dev.interlock.testkit.contract.lock;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.testkit.fixture.Caller;

/** Read/write locks for the parts of their contract. */
public interface ReadWriteFixture extends LockFixture {

    /** A lock of its own, in a client of its own. */
    default DistributedReadWriteLock readWriteLock() {
        return clients().open().readWriteLock(clients().name());
    }

    /** The same lock in another client, as in another process. */
    default DistributedReadWriteLock elsewhere(DistributedReadWriteLock lock) {
        return clients().open().readWriteLock(lock.name());
    }

    /** Whether this side could be had at this moment by a thread that holds nothing. */
    static boolean isFree(DistributedLock side) {
        return Caller.test(() -> {
            boolean held = side.tryLock();
            if (held) {
                side.unlock();
            }
            return held;
        });
    }

    /** A side of a lock. */
    enum Side {
        READ,
        WRITE;

        public DistributedLock of(DistributedReadWriteLock lock) {
            return this == READ ? lock.readLock() : lock.writeLock();
        }
    }
}
