package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A body behind the stage of a barrier. */
final class BarrierStageForm extends StageForm<Long> {

    private static final String BY_FAILURE = "The stage of a barrier fails if it is busy";

    @Override
    public Site site(Interlock other, String name) {
        return new BarrierSite(other, name);
    }

    @Override
    protected CompletionStage<Long> acquire(Interlock client, String name, Wait wait) {
        DistributedBarrier barrier = DistributedBarrier.of(client, name, BarrierSite.PARTIES);
        return wait == Wait.NONE ? barrier.awaitAsync(Duration.ZERO) : barrier.awaitAsync();
    }

    @Override
    protected boolean isBusy(Long brought) {
        return false;
    }

    @Override
    protected CompletableFuture<@Nullable String> work(Long brought, FormBody body) {
        return body.begin().thenApply(value -> value);
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(
                Day.BUSY_AND_TRIES,
                BY_FAILURE,
                Day.FAR_BUSY_AND_TRIES,
                BY_FAILURE,
                Day.LOST,
                BarrierSite.HOLDS_NOTHING,
                Day.GIVEN_UP_AT_WORK,
                BarrierSite.HOLDS_NOTHING);
    }
}
