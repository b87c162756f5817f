package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A body behind a barrier. */
final class BarrierForm extends BlockingForm {

    @Override
    public Site site(Interlock other, String name) {
        return new BarrierSite(other, name);
    }

    @Override
    protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
        DistributedBarrier barrier = DistributedBarrier.of(client, name, BarrierSite.PARTIES);
        try {
            long generation = wait == Wait.NONE ? barrier.await(Duration.ZERO) : barrier.await();
            return generation > 0 ? body.run() : null;
        } catch (TimeoutException e) {
            return null;
        }
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(
                Day.LOST, BarrierSite.HOLDS_NOTHING,
                Day.COLD_AND_GIVEN_UP, BarrierSite.BETWEEN_REQUESTS);
    }
}
