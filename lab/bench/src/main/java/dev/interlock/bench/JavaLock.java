package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A peer whose lock is one of {@link java.util.concurrent.locks}. */
record JavaLock(Lock delegate) implements PeerLock {

    @Override
    public void lock() {
        delegate.lock();
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return delegate.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void unlock() {
        delegate.unlock();
    }
}
