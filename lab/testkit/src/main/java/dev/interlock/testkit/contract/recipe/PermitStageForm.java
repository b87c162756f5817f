package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A body under the only permit of a semaphore, which a stage has brought. */
final class PermitStageForm extends LeaseStageForm {

    private static final Duration LONG = Duration.ofHours(1);

    @Override
    public Site site(Interlock other, String name) {
        return new PermitSite(other, name);
    }

    @Override
    protected CompletionStage<Optional<Lease>> acquire(Interlock client, String name, Wait wait) {
        return client.semaphore(name, 1).tryAcquireAsync(1, wait == Wait.NONE ? Duration.ZERO : LONG);
    }
}
