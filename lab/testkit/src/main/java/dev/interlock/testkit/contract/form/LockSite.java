package dev.interlock.testkit.contract.form;

import dev.interlock.DistributedLock;

/** A lock. */
final class LockSite implements Site {

    private final DistributedLock lock;

    LockSite(DistributedLock lock) {
        this.lock = lock;
    }

    @Override
    public Obstacle occupy() throws InterruptedException {
        return new LeaseObstacle(lock.acquire());
    }

    @Override
    public boolean isHeld() {
        return lock.isLocked();
    }

    @Override
    public boolean isWaitedFor() {
        return !lock.inspect().waiters().isEmpty();
    }

    @Override
    public void takeAway() {
        lock.forceUnlock();
    }
}
