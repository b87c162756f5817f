package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods.Run;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Methods that return a {@code CompletionStage}: the lease is held until that stage completes. No thread waits. */
final class StageLocking {

    private final Locking locking;

    StageLocking(Locking locking) {
        this.locking = locking;
    }

    /**
     * The result: completes after the release. Whoever ends it before, by cancelling or in another way, gives up the
     * wait, or cancels the stage of the method.
     */
    CompletableFuture<@Nullable Object> run(LockedCall call) {
        RunningMethods running = locking.framework().running();
        Run run = running.enterAsync(call.where());
        CompletableFuture<@Nullable Object> result;
        try {
            run.transaction(locking.framework().transaction());
            result = runLocked(call, run, 0, call.call().arguments());
        } catch (Throwable e) {
            running.leave(run);
            return CompletableFuture.failedFuture(e);
        }
        run.result(result);
        var unused = result.whenComplete((value, failure) -> running.leave(run));
        return result;
    }

    private CompletableFuture<@Nullable Object> runLocked(LockedCall call, Run run, int index, @Nullable Object[] args)
            throws Throwable {
        if (index == call.operations().size()) {
            return future(call.call().proceed(args));
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = locking.names(call, run, operation);
        Grip grip = Grip.take(locking, operation, names, run.transaction());
        CompletableFuture<Optional<Lease>> acquiring = grip.future();
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        var unused = acquiring.whenComplete((lease, failure) -> {
            if (lease == null || lease.isEmpty()) {
                grip.fail();
            }
            if (result.isDone() || run.isGivenUp()) {
                // The caller has gone at the moment of the grant: nobody else knows of the lease.
                if (lease != null) {
                    lease.ifPresent(granted -> grip.end(granted, () -> Duration.ZERO));
                }
                result.cancel(false);
                return;
            }
            try {
                follow(
                        result,
                        failure == null
                                ? acquired(call, run, index, args, names, lease, grip)
                                : failed(call, run, index, args, names, failure));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        // Does nothing if that has ended by itself.
        var unusedEnd = result.whenComplete((value, failure) -> acquiring.cancel(false));
        return result;
    }

    private CompletableFuture<@Nullable Object> failed(
            LockedCall call, Run run, int index, @Nullable Object[] args, List<String> names, Throwable failure)
            throws Throwable {
        LockedOperation operation = call.operations().get(index);
        Throwable cause = unwrap(failure);
        Locked.OnUnavailable onUnavailable = operation.annotation().onUnavailable();
        if (!(cause instanceof StoreUnavailableException) || onUnavailable == Locked.OnUnavailable.THROW) {
            throw cause;
        }
        if (onUnavailable == Locked.OnUnavailable.SKIP) {
            return future(operation.skipped());
        }
        Locking.warnOfRunningWithout(operation, names, cause);
        return runLocked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, null));
    }

    private CompletableFuture<@Nullable Object> acquired(
            LockedCall call,
            Run run,
            int index,
            @Nullable Object[] args,
            List<String> names,
            Optional<Lease> lease,
            Grip grip)
            throws Throwable {
        return lease.isPresent()
                ? runHeld(call, run, index, args, lease.get(), grip)
                : future(locking.busy(call, call.operations().get(index), names));
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

    private CompletableFuture<@Nullable Object> runHeld(
            LockedCall call, Run run, int index, @Nullable Object[] args, Lease lease, Grip grip) {
        long acquiredNanos = System.nanoTime();
        LockedOperation operation = call.operations().get(index);
        operation.runs();
        grip.begin(lease);
        Locked.OnLost onLost = operation.annotation().onLost();
        CompletableFuture<@Nullable Object> body;
        try {
            Locking.beginWork(lease);
            body = runLocked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, lease));
        } catch (Throwable e) {
            body = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<@Nullable Object> running = body;
        if (onLost == Locked.OnLost.INTERRUPT) {
            lease.onLost(cause -> running.cancel(true));
        }
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        var unused = running.whenComplete((value, failure) -> {
            boolean lossCounts = onLost != Locked.OnLost.IGNORE && (failure == null || running.isCancelled());
            Throwable reported = lossCounts ? lossOr(failure, lease) : failure;
            CompletionStage<ReleaseOutcome> release = grip.end(lease, () -> operation.leftToLapse(acquiredNanos));
            if (release == null) {
                // The transaction of the caller releases it: who waits for the result may be on its way to the commit.
                complete(result, value, reported);
            } else {
                // Perhaps only the store knew of the loss.
                var unusedRelease = release.whenComplete((known, refusal) ->
                        complete(result, value, lossCounts && known.isLost() ? lossOr(reported, lease) : reported));
            }
        });
        var unusedEnd = result.whenComplete((value, failure) -> giveUp(running));
        return result;
    }

    /** The loss of the lease, if it is lost, and else this. */
    private static @Nullable Throwable lossOr(@Nullable Throwable failure, Lease lease) {
        try {
            lease.ensureValid();
        } catch (LockLostException e) {
            return e;
        }
        return failure;
    }

    /** The caller has gone. A stage that has ended is left alone: its cancel may reach what others do by now. */
    private static void giveUp(CompletableFuture<?> stage) {
        if (!stage.isDone()) {
            stage.cancel(true);
        }
    }

    private static void complete(
            CompletableFuture<@Nullable Object> result, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /**
     * Completes {@code result} as {@code source} does, and cancels {@code source} if {@code result} is ended before.
     */
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
        var unusedEnd = result.whenComplete((value, failure) -> giveUp(source));
    }
}
