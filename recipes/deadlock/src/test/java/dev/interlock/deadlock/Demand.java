package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockKind;

/**
 * What an actor wants or holds.
 *
 * @param permits how many permits of a semaphore; 0 for a share of a read/write lock, 1 for the whole of a lock
 * @param capacity of a semaphore
 */
record Demand(String name, LockKind kind, int permits, int capacity) {

    static Demand lock(String name) {
        return new Demand(name, LockKind.LOCK, 1, 1);
    }

    static Demand read(String name) {
        return new Demand(name, LockKind.READ_WRITE, 0, 1);
    }

    static Demand write(String name) {
        return new Demand(name, LockKind.READ_WRITE, 1, 1);
    }

    static Demand permits(String name, int permits, int capacity) {
        return new Demand(name, LockKind.SEMAPHORE, permits, capacity);
    }

    /** Acquires it on this thread; returns how to release it, on this thread. */
    Runnable acquire(Interlock client, LockOptions options) throws InterruptedException {
        if (kind == LockKind.SEMAPHORE) {
            Lease lease = client.semaphore(name, capacity, options).acquire(permits);
            return lease::close;
        }
        var lock = kind == LockKind.LOCK
                ? client.lock(name, options)
                : permits == 0
                        ? client.readWriteLock(name, options).readLock()
                        : client.readWriteLock(name, options).writeLock();
        lock.lock();
        return lock::unlock;
    }
}
