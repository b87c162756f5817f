package dev.interlock.testkit.contract.form;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;

/** A lock. */
final class LockSite implements Site {

    private final Interlock client;
    private final DistributedLock lock;

    LockSite(Interlock client, String name) {
        this.client = client;
        this.lock = client.lock(name);
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
        client.administration().forceUnlock(lock.name());
    }
}
