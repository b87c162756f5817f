package dev.interlock.interop;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/** A lock of Curator as one of {@link java.util.concurrent.locks}. */
record CuratorLock(InterProcessLock delegate) implements Lock {

    /** Both sides of a read/write lock of Curator. */
    static ReadWriteLock both(InterProcessReadWriteLock lock) {
        return new ReadWriteLock() {
            @Override
            public Lock readLock() {
                return new CuratorLock(lock.readLock());
            }

            @Override
            public Lock writeLock() {
                return new CuratorLock(lock.writeLock());
            }
        };
    }

    @Override
    public void lock() {
        call(() -> {
            delegate.acquire();
            return true;
        });
    }

    @Override
    public void lockInterruptibly() {
        lock();
    }

    @Override
    public boolean tryLock() {
        return tryLock(0, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        return call(() -> delegate.acquire(time, unit));
    }

    @Override
    public void unlock() {
        call(() -> {
            delegate.release();
            return true;
        });
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Curator has no conditions");
    }

    /** Everything of Curator may throw everything. */
    static <T> T call(Callable<T> step) {
        try {
            return step.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
