package dev.interlock.testkit.contract.cancel;

import dev.interlock.Lease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The ways to give up a {@code CompletableFuture}. */
public final class FutureWays {

    /** All of them. */
    public static final List<String> ALL = List.of(
            "cancel",
            "orTimeout",
            "completeOnTimeout",
            "complete",
            "completeExceptionally",
            "completeAsync",
            "obtrudeValue",
            "obtrudeException",
            "get with a time, then cancel");

    private FutureWays() {}

    /** Gives up in this way. A future that is complete already stays as it is. */
    public static <T extends @Nullable Object> void giveUp(CompletableFuture<T> future, String way, @Nullable T value) {
        if (future.isDone()) {
            return;
        }
        switch (way) {
            case "cancel" -> future.cancel(true);
            case "orTimeout" -> await(future.orTimeout(1, TimeUnit.NANOSECONDS));
            case "completeOnTimeout" -> await(future.completeOnTimeout(value, 1, TimeUnit.NANOSECONDS));
            case "complete" -> future.complete(value);
            case "completeExceptionally" -> future.completeExceptionally(new IllegalStateException("given up"));
            case "completeAsync" -> future.completeAsync(() -> value, Runnable::run);
            case "obtrudeValue" -> future.obtrudeValue(value);
            case "obtrudeException" -> future.obtrudeException(new IllegalStateException("given up"));
            default -> getThenCancel(future);
        }
    }

    private static void await(CompletableFuture<?> future) {
        while (!future.isDone()) {
            Thread.onSpinWait();
        }
    }

    private static void getThenCancel(CompletableFuture<?> future) {
        try {
            var unused = future.get(1, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(false);
        } catch (ExecutionException e) {
            // It has failed by itself.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the taker of a future does with a lease that it has got. */
    public static void closeLease(CompletableFuture<?> future) {
        if (!future.isDone()) {
            return;
        }
        Object value;
        try {
            value = future.join();
        } catch (CompletionException | CancellationException e) {
            return;
        }
        Object got = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (got instanceof Lease lease) {
            lease.close();
        }
    }
}
