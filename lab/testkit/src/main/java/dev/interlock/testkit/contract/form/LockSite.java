package dev.interlock.testkit.contract.form;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;

/** A lock. */
public final class LockSite implements Site {

    private final Interlock client;
    private final DistributedLock lock;

    LockSite(Interlock client, String name) {
        this(client, client.lock(name));
    }

    /**
     * This lock.
     *
     * @param client the client of the lock
     * @param lock excludes whoever is inside
     */
    public LockSite(Interlock client, DistributedLock lock) {
        this.client = client;
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
        client.administration().forceUnlock(lock.name());
    }
}
