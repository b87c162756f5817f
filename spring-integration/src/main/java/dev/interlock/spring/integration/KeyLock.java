package dev.interlock.spring.integration;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.StoreUnavailableException;
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

    private final Interlock interlock;
    private final RegistryTerms terms;
    private final DistributedLock lock;

    private volatile long lastAcquiredNanos = System.nanoTime();
    private volatile @Nullable Lease lastLease;

    KeyLock(Interlock interlock, RegistryTerms terms, String name) {
        this.interlock = interlock;
        this.terms = terms;
        this.lock = interlock.lock(name, terms.options());
    }

    @Override
    public void lock() {
        lock(on(terms.options()));
    }

    /** Acquires the lock with this time to live. A re-entry keeps that of the first acquisition. */
    public void lock(Duration ttl) {
        lock(on(terms.options(ttl)));
    }

    private void lock(DistributedLock onTerm) {
        acquire(() -> {
            onTerm.lock();
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        DistributedLock onTerm = on(terms.options());
        acquire(() -> {
            onTerm.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return acquire(on(terms.options())::tryLock);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), on(terms.options()));
    }

    /** Acquires the lock with this time to live. A re-entry keeps that of the first acquisition. */
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(waitTime, on(terms.options(ttl)));
    }

    private boolean tryLock(Duration waitTime, DistributedLock onTerm) throws InterruptedException {
        long start = System.nanoTime();
        return acquire(() -> onTerm.tryLock(waitTime.minusNanos(System.nanoTime() - start)));
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

    private DistributedLock on(LockOptions options) {
        return interlock.lock(lock.name(), options);
    }

    @FunctionalInterface
    private interface Attempt<E extends Exception> {
        boolean make() throws E;
    }

    /**
     * Makes the attempt. Holds of this thread on a lease that is lost are given up before, and added to the new one
     * afterwards, so that each of them can be undone by an {@code unlock}. The lease may be lost at any step: then all
     * begins anew.
     */
    private <E extends Exception> boolean acquire(Attempt<E> attempt) throws E {
        int holds = lock.holdCount();
        while (true) {
            try {
                forgetLostHolds();
                if (!attempt.make()) {
                    return false;
                }
                while (lock.holdCount() <= holds) {
                    lock.lock();
                }
                lastLease = lock.heldLease();
                lastAcquiredNanos = System.nanoTime();
                return true;
            } catch (LockLostException lostMeanwhile) {
                // Once more.
            } catch (StoreUnavailableException e) {
                throw new CannotAcquireLockException(e.getMessage(), e);
            }
        }
    }

    private void forgetLostHolds() {
        while (lock.holdCount() > 0 && !lock.isHeldByCurrentThread()) {
            try {
                lock.unlock();
            } catch (LockLostException known) {
                // The count has decreased nevertheless.
            }
        }
    }

    @Override
    public String toString() {
        return "KeyLock[name=" + lock.name() + "]";
    }
}
