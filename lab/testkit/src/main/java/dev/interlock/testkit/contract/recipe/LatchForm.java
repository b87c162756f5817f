package dev.interlock.testkit.contract.recipe;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A body behind a latch. */
final class LatchForm extends BlockingForm {

    @Override
    public Site site(Interlock other, String name) {
        return new LatchSite(other.latch(name));
    }

    @Override
    protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
        DistributedLatch latch = client.latch(name);
        if (wait == Wait.NONE) {
            return latch.await(Duration.ZERO) ? body.run() : null;
        }
        latch.await();
        return body.run();
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(Day.LOST, LatchSite.HOLDS_NOTHING);
    }
}
