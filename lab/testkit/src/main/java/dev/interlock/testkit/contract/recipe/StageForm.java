package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.testkit.contract.cancel.FutureWays;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A body behind a stage, which its caller can end in every way.
 *
 * @param <T> what the stage brings
 */
public abstract class StageForm<T> implements Form {

    /** The call. */
    protected abstract CompletionStage<? extends @Nullable T> acquire(Interlock client, String name, Wait wait);

    /** Whether this says that it was busy. */
    protected abstract boolean isBusy(T brought);

    /** Runs the body, and ends what the stage has brought. */
    protected abstract CompletableFuture<@Nullable String> work(T brought, FormBody body);

    @Override
    public final Call begin(Interlock client, String name, Wait wait, FormBody body) {
        CompletableFuture<@Nullable T> stage = new CompletableFuture<>();
        try {
            @SuppressWarnings("unchecked") // only read
            CompletableFuture<@Nullable T> begun =
                    (CompletableFuture<@Nullable T>) acquire(client, name, wait).toCompletableFuture();
            stage = begun;
        } catch (RuntimeException e) {
            stage.completeExceptionally(e);
        }
        CompletableFuture<@Nullable T> call = stage;
        CompletableFuture<@Nullable String> result = call.thenCompose(brought -> {
            if (brought == null) {
                // What whoever gave up has put in its place.
                return CompletableFuture.failedFuture(new CancellationException("given up"));
            }
            return isBusy(brought) ? CompletableFuture.completedFuture(null) : work(brought, body);
        });
        return new Call() {
            @Override
            public CompletableFuture<@Nullable String> result() {
                return result;
            }

            @Override
            public void giveUp(String way) {
                FutureWays.giveUp(call, way, null);
            }
        };
    }

    @Override
    public List<String> ways() {
        return FutureWays.ALL;
    }
}
