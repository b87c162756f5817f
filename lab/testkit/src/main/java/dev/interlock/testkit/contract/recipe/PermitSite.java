package dev.interlock.testkit.contract.recipe;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.testkit.contract.form.LeaseObstacle;
import dev.interlock.testkit.contract.form.Site;

/** A semaphore of one permit. */
public final class PermitSite implements Site {

    private final Interlock client;
    private final DistributedSemaphore semaphore;

    /** The semaphore of this name. */
    public PermitSite(Interlock client, String name) {
        this.client = client;
        this.semaphore = client.semaphore(name, 1);
    }

    @Override
    public Obstacle occupy() throws InterruptedException {
        return new LeaseObstacle(semaphore.acquire());
    }

    @Override
    public boolean isHeld() {
        return semaphore.availablePermits() == 0;
    }

    @Override
    public boolean isWaitedFor() {
        return !semaphore.inspect().waiters().isEmpty();
    }

    @Override
    public void takeAway() {
        client.administration().forceUnlock(semaphore.inspect());
    }
}
