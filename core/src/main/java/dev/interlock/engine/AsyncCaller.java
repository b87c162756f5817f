package dev.interlock.engine;

import dev.interlock.Lease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A caller that waits for a future. The future completes on the callback executor, with an empty value if the lock was refused. If it is cancelled first,
 * the arbiter takes the waiter out, or the lease that had already been decided is released.
 */
final class AsyncCaller<T> extends Waiter {

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Optional<Lease>, T> result;
    private final Callbacks callbacks;

    AsyncCaller(
            Request request,
            boolean once,
            long startNanos,
            long deadlineNanos,
            Function<Optional<Lease>, T> result,
            Callbacks callbacks) {
        super(request, once, startNanos, deadlineNanos);
        this.result = result;
        this.callbacks = callbacks;
    }

    CompletableFuture<T> future() {
        return future;
    }

    @Override
    void tell() {
        callbacks.run(this::complete);
    }

    private void complete() {
        Object outcome = outcome();
        if (outcome instanceof EngineLease lease) {
            // Loses to a cancellation: then nobody else knows of the lease.
            if (!future.complete(result.apply(Optional.of(lease)))) {
                lease.releaseAsync();
            }
        } else if (outcome instanceof RuntimeException e) {
            future.completeExceptionally(e);
        } else if (!future.isDone()) {
            future.complete(result.apply(Optional.empty()));
        }
    }

    @Override
    boolean needsTimer() {
        return deadlineNanos() != FOREVER;
    }
}
