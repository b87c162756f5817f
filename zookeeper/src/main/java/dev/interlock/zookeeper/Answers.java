package dev.interlock.zookeeper;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What futures do not say shortly. */
final class Answers {

    private Answers() {}

    /** What follows from an answer or a failure. */
    interface Next<T, R> {
        /** The value counts if there is no failure. */
        CompletableFuture<R> after(T value, @Nullable Throwable failure);
    }

    /** Goes on whether it succeeded or failed. */
    static <T, R> CompletableFuture<R> either(CompletableFuture<T> first, Next<T, R> next) {
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

    /** Passes a result on, and a failure as it is, without what futures wrap it into. */
    static <T> void pass(T value, @Nullable Throwable failure, CompletableFuture<T> to) {
        if (failure == null) {
            to.complete(value);
        } else {
            Throwable cause = Failures.unwrap(failure);
            to.completeExceptionally(cause == null ? failure : cause);
        }
    }

    /** Done when all are; fails if one does. */
    static CompletableFuture<?> all(Collection<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
    }
}
