package dev.interlock.cli;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import java.time.Duration;
import java.util.Optional;

/** What {@code run} takes hold of: a lock, or permits of a semaphore. */
interface Grip {

    /** One attempt. */
    Optional<Lease> tryAcquire();

    /** Waits for at most this long. */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /** Waits. */
    Lease acquire() throws InterruptedException;

    static Grip of(DistributedLock lock) {
        return new OnLock(lock);
    }

    static Grip of(DistributedSemaphore semaphore, int permits) {
        return new OnPermits(semaphore, permits);
    }

    /** On a lock. */
    record OnLock(DistributedLock lock) implements Grip {
        @Override
        public Optional<Lease> tryAcquire() {
            return lock.tryAcquire();
        }

        @Override
        public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
            return lock.tryAcquire(wait);
        }

        @Override
        public Lease acquire() throws InterruptedException {
            return lock.acquire();
        }
    }

    /** On permits. */
    record OnPermits(DistributedSemaphore semaphore, int permits) implements Grip {
        @Override
        public Optional<Lease> tryAcquire() {
            return semaphore.tryAcquire(permits);
        }

        @Override
        public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
            return semaphore.tryAcquire(permits, wait);
        }

        @Override
        public Lease acquire() throws InterruptedException {
            return semaphore.acquire(permits);
        }
    }
}
