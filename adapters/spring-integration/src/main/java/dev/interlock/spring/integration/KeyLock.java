package dev.interlock.spring.integration;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Printable;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;

/**
 * The lock of one key: re-entrant, owned by a thread. Holds are counted by the client, for the thread and the name:
 * this object only remembers when it was acquired last, by whichever thread. Thread-safe.
 *
 * <p>If a thread acquires the lock while it still counts holds on a lease that it has lost, the holds move to a new
 * lease. If the lock is busy then, the holds are forgotten.
 *
 * <p>It has the methods of Spring Integration 7's {@code DistributedLock}, but not the type, which version 6 lacks.
 */
class KeyLock implements Lock {

    private final DistributedLock lock;
    private final RegistryTerms terms;

    private volatile long lastAcquiredNanos = System.nanoTime();
    private volatile @Nullable Lease lastLease;

    /**
     * The lock of a key.
     *
     * @param lock a lock of the client that forgets lost holds
     */
    KeyLock(DistributedLock lock, RegistryTerms terms) {
        this.lock = lock;
        this.terms = terms;
    }

    @Override
    public void lock() {
        lock(terms.term());
    }

    /** Acquires the lock with this time to live. A re-entry keeps that of the first acquisition. */
    public void lock(Duration ttl) {
        lock(terms.term(ttl));
    }

    private void lock(LeaseTerm term) {
        acquire(() -> {
            lock.lock(term);
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(() -> {
            lock.lockInterruptibly(terms.term());
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return acquire(() -> lock.tryLock(terms.term()));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), terms.term());
    }

    /** Acquires the lock with this time to live. A re-entry keeps that of the first acquisition. */
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(waitTime, terms.term(ttl));
    }

    private boolean tryLock(Duration waitTime, LeaseTerm term) throws InterruptedException {
        return acquire(() -> lock.tryLock(waitTime, term));
    }

    @Override
    public void unlock() {
        try {
            lock.unlock();
        } catch (LockLostException e) {
            throw new ConcurrentModificationException(e.getMessage(), e);
        }
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    /** Whether nobody in this process holds the lock, and its last acquisition was so long ago. */
    boolean isUnusedFor(long nanos) {
        Lease lease = lastLease;
        return System.nanoTime() - lastAcquiredNanos >= nanos && (lease == null || !lease.isValid());
    }

    @FunctionalInterface
    private interface Attempt<E extends Exception> {
        boolean make() throws E;
    }

    /**
     * Makes the attempt. If this thread has lost the hold that it has, the client begins anew, with one hold. Those
     * that were lost are added by more attempts, which are re-entries, so that each can be undone by an {@code unlock}.
     */
    private <E extends Exception> boolean acquire(Attempt<E> attempt) throws E {
        int holds = lock.holdCount();
        try {
            do {
                if (!attempt.make()) {
                    return false;
                }
            } while (lock.holdCount() <= holds);
        } catch (StoreUnavailableException e) {
            throw new CannotAcquireLockException(e.getMessage(), e);
        }
        Lease lease = lock.heldLease();
        lastLease = lease;
        lastAcquiredNanos = System.nanoTime();
        beginWork(lease);
        return true;
    }

    /** The client does not give the lock away when it is closed while the thread works. */
    private static void beginWork(Lease lease) {
        try {
            // It ends with the lease.
            var unused = WorkLease.begin(lease, WorkLease.Place.ANYWHERE);
        } catch (LockLostException e) {
            // As later: unlock says so.
        }
    }

    @Override
    public String toString() {
        return "KeyLock[name=" + Printable.of(lock.name()) + "]";
    }
}
