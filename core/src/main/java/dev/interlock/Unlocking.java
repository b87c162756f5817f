package dev.interlock;

import dev.interlock.spi.WorkLease;
import org.jspecify.annotations.Nullable;

/** Unlocks at the end of a body, and throws a loss only if the body threw nothing. */
final class Unlocking implements AutoCloseable {

    private final DistributedLock lock;
    private WorkLease.@Nullable Work body;
    private boolean normal;

    /** Takes a lock that this thread has locked. */
    Unlocking(DistributedLock lock) {
        this.lock = lock;
    }

    /** Keeps the lock from being released by a client that closes; refuses the body if it has been. */
    void bodyBegins() {
        body = WorkLease.begin(lock.heldLease(), WorkLease.Place.THIS_THREAD);
    }

    void bodyEndedNormally() {
        normal = true;
    }

    @Override
    public void close() {
        try {
            lock.unlock();
        } catch (LockLostException e) {
            if (normal) {
                throw e;
            }
        } finally {
            if (body != null) {
                body.close();
            }
        }
    }
}
