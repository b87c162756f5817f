package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.barrier.DistributedDoubleBarrier;
import dev.interlock.barrier.DistributedDoubleBarrier.Membership;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A body inside a double barrier. */
final class DoubleBarrierForm extends BlockingForm {

    @Override
    public Site site(Interlock other, String name) {
        return new DoubleBarrierSite(other, name);
    }

    @Override
    protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
        DistributedDoubleBarrier barrier = DistributedDoubleBarrier.of(client, name, DoubleBarrierSite.PARTIES);
        try (Membership membership = wait == Wait.NONE ? barrier.enter(Duration.ZERO) : barrier.enter()) {
            String result = body.run();
            membership.leave();
            return result;
        } catch (TimeoutException e) {
            return null;
        }
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(
                Day.CLOSING, LeaseForm.ENDS_WITH_CLIENT,
                Day.COLD_AND_GIVEN_UP, BarrierSite.BETWEEN_REQUESTS);
    }
}
