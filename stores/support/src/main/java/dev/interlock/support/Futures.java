package dev.interlock.support;

import dev.interlock.spi.LockStore;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Shorthands for futures. */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public final class Futures {

    private Futures() {}

    /** Follows an answer or a failure. */
    public interface Next<T, R> {
        /** The value is valid if there is no failure. */
        CompletableFuture<R> after(T value, @Nullable Throwable failure);
    }

    /** Continues with {@code next} after a success or a failure. */
    public static <T, R> CompletableFuture<R> either(CompletableFuture<T> first, Next<T, R> next) {
        CompletableFuture<R> result = new CompletableFuture<>();
        var unused = first.whenComplete((value, failure) -> {
            try {
                var unusedToo = next.after(value, failure).whenComplete((last, problem) -> pass(last, problem, result));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Completes a future with a result, or with a failure without the exceptions that futures wrap it into. */
    public static <T> void pass(T value, @Nullable Throwable failure, CompletableFuture<T> to) {
        if (failure == null) {
            to.complete(value);
        } else {
            Throwable cause = LockStore.causeOf(failure);
            to.completeExceptionally(cause == null ? failure : cause);
        }
    }

    /** Completes when all of them have; fails if one does. */
    public static CompletableFuture<?> all(Collection<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
    }
}
