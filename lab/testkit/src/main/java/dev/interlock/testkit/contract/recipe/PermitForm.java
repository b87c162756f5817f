package dev.interlock.testkit.contract.recipe;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.contract.form.Site;
import org.jspecify.annotations.Nullable;

/** A body under the only permit of a semaphore. */
final class PermitForm extends LeaseForm {

    @Override
    public Site site(Interlock other, String name) {
        return new PermitSite(other, name);
    }

    @Override
    protected @Nullable Lease acquire(Interlock client, String name, Wait wait) throws InterruptedException {
        DistributedSemaphore semaphore = client.semaphore(name, 1);
        return wait == Wait.NONE ? semaphore.tryAcquire().orElse(null) : semaphore.acquire();
    }
}
