package dev.interlock.testkit.contract.recipe;

import dev.interlock.Lease;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A body under a lease that a stage has brought. */
public abstract class LeaseStageForm extends StageForm<Optional<Lease>> {

    @Override
    protected final boolean isBusy(Optional<Lease> brought) {
        return brought.isEmpty();
    }

    @Override
    protected final CompletableFuture<@Nullable String> work(Optional<Lease> brought, FormBody body) {
        Lease lease = brought.orElseThrow();
        CompletionStage<@Nullable String> released = body.begin()
                .handle((value, failure) -> lease.releaseAsync().thenCompose(outcome -> {
                    if (failure != null) {
                        return CompletableFuture.<@Nullable String>failedFuture(failure);
                    }
                    if (outcome.isLost()) {
                        lease.ensureValid();
                    }
                    return CompletableFuture.<@Nullable String>completedFuture(value);
                }))
                .thenCompose(outcome -> outcome);
        return released.toCompletableFuture();
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(
                Day.CLOSING,
                LeaseForm.ENDS_WITH_CLIENT,
                Day.GIVEN_UP_AT_WORK,
                "The lease is the caller's: its stage is complete, and cannot be ended");
    }
}
