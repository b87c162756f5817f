package dev.interlock.spring;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spring.LockedInterceptor.Call;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Methods that return a {@code CompletionStage}: the lease is held until that stage completes. No thread waits. */
final class StageLocking {

    private final LockedInterceptor interceptor;
    private final RunningMethods running;

    StageLocking(LockedInterceptor interceptor, RunningMethods running) {
        this.interceptor = interceptor;
        this.running = running;
    }

    /** The result: completes after the release. To cancel it gives up the wait, or cancels the stage of the method. */
    CompletableFuture<@Nullable Object> run(Call call, int index) {
        running.enter();
        CompletableFuture<@Nullable Object> result;
        try {
            result = runLocked(call, index, call.invocation().getArguments());
        } catch (Throwable e) {
            running.leave();
            return CompletableFuture.failedFuture(e);
        }
        var unused = result.whenComplete((value, failure) -> running.leave());
        return result;
    }

    private CompletableFuture<@Nullable Object> runLocked(Call call, int index, @Nullable Object[] args)
            throws Throwable {
        if (index == call.operations().size()) {
            return future(call.proceed(args));
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = interceptor.names(call, operation);
        CompletableFuture<Optional<Lease>> acquiring =
                interceptor.acquireAsync(operation, names).toCompletableFuture();
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        var unused = acquiring.whenComplete((lease, failure) -> {
            try {
                follow(
                        result,
                        failure == null
                                ? acquired(call, index, args, names, lease)
                                : failed(call, index, args, names, failure));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        var unusedCancel = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                acquiring.cancel(false);
            }
        });
        return result;
    }

    private CompletableFuture<@Nullable Object> failed(
            Call call, int index, @Nullable Object[] args, List<String> names, Throwable failure) throws Throwable {
        LockedOperation operation = call.operations().get(index);
        Throwable cause = unwrap(failure);
        Locked.OnUnavailable onUnavailable = operation.annotation().onUnavailable();
        if (!(cause instanceof StoreUnavailableException) || onUnavailable == Locked.OnUnavailable.THROW) {
            throw cause;
        }
        if (onUnavailable == Locked.OnUnavailable.SKIP) {
            return CompletableFuture.completedFuture(null);
        }
        LockedInterceptor.warnOfRunningWithout(operation, names, cause);
        return runLocked(call, index + 1, LockedOperation.withLease(operation.method(), args, null));
    }

    private CompletableFuture<@Nullable Object> acquired(
            Call call, int index, @Nullable Object[] args, List<String> names, Optional<Lease> lease) throws Throwable {
        return lease.isPresent()
                ? runHeld(call, index, args, lease.get())
                : future(interceptor.busy(call, call.operations().get(index), names));
    }

    /**
     * A stage that a method has returned, which may be null, as a future: the method's own, if it is one, so that to
     * cancel it reaches the method's work before the lease is released.
     */
    @SuppressWarnings("unchecked") // what it completes with is only passed on
    private static CompletableFuture<@Nullable Object> future(@Nullable Object stage) {
        return stage == null
                ? CompletableFuture.completedFuture(null)
                : ((CompletionStage<@Nullable Object>) stage).toCompletableFuture();
    }

    private static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<@Nullable Object> runHeld(Call call, int index, @Nullable Object[] args, Lease lease) {
        long acquiredNanos = System.nanoTime();
        LockedOperation operation = call.operations().get(index);
        Locked.OnLost onLost = operation.annotation().onLost();
        CompletableFuture<@Nullable Object> body;
        try {
            body = runLocked(call, index + 1, LockedOperation.withLease(operation.method(), args, lease));
        } catch (Throwable e) {
            body = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<@Nullable Object> running = body;
        if (onLost == Locked.OnLost.INTERRUPT) {
            lease.onLost(cause -> running.cancel(true));
        }
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        var unused = running.whenComplete((value, failure) -> {
            Throwable outcome = failure;
            if (onLost != Locked.OnLost.IGNORE && (failure == null || running.isCancelled())) {
                try {
                    lease.ensureValid();
                } catch (LockLostException e) {
                    outcome = e;
                }
            }
            Throwable reported = outcome;
            var unusedRelease = LockedInterceptor.end(lease, operation.leftToLapse(acquiredNanos))
                    .whenComplete((release, refusal) -> {
                        if (reported != null) {
                            result.completeExceptionally(reported);
                        } else if (refusal != null) {
                            result.completeExceptionally(unwrap(refusal));
                        } else {
                            result.complete(value);
                        }
                    });
        });
        var unusedCancel = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                running.cancel(true);
            }
        });
        return result;
    }

    /** Completes {@code result} as {@code source} does, and cancels {@code source} if {@code result} is cancelled. */
    private static void follow(CompletableFuture<@Nullable Object> result, CompletableFuture<@Nullable Object> source) {
        var unused = source.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
        var unusedCancel = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }
}
