package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import dev.interlock.testkit.contract.form.Site;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A body behind the stage of a latch. */
final class LatchStageForm extends StageForm<Boolean> {

    private static final Duration LONG = Duration.ofHours(1);

    @Override
    public Site site(Interlock other, String name) {
        return new LatchSite(other.latch(name));
    }

    @Override
    protected CompletionStage<Boolean> acquire(Interlock client, String name, Wait wait) {
        return client.latch(name).awaitAsync(wait == Wait.NONE ? Duration.ZERO : LONG);
    }

    @Override
    protected boolean isBusy(Boolean brought) {
        return !brought;
    }

    @Override
    protected CompletableFuture<@Nullable String> work(Boolean brought, FormBody body) {
        return body.begin().thenApply(value -> value);
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(
                Day.LOST, LatchSite.HOLDS_NOTHING,
                Day.GIVEN_UP_AT_WORK, LatchSite.HOLDS_NOTHING);
    }
}
