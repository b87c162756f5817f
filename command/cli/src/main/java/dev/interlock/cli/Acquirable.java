package dev.interlock.cli;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import java.time.Duration;
import java.util.Optional;

/** A lock, or permits of a semaphore, for {@code run} to acquire. */
interface Acquirable {

    /** Makes one attempt. */
    Optional<Lease> tryAcquire();

    /** Waits at most this long. */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /** Waits without limit. */
    Lease acquire() throws InterruptedException;

    static Acquirable of(DistributedLock lock) {
        return new OnLock(lock);
    }

    static Acquirable of(DistributedSemaphore semaphore, int permits) {
        return new OnPermits(semaphore, permits);
    }

    /** A lock. */
    record OnLock(DistributedLock lock) implements Acquirable {
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

    /** Permits of a semaphore. */
    record OnPermits(DistributedSemaphore semaphore, int permits) implements Acquirable {
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
