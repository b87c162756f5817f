package dev.interlock;

/** Unlocks at the end of a body, and throws a loss only if the body threw nothing. */
final class Unlocking implements AutoCloseable {

    private final DistributedLock lock;
    private boolean normal;

    /** Takes a lock that this thread has locked. */
    Unlocking(DistributedLock lock) {
        this.lock = lock;
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
        }
    }
}
