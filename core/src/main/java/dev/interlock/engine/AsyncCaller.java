package dev.interlock.engine;

import dev.interlock.Lease;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits by a future, which completes with an empty value if the lock is refused. If the user ends the
 * future first, the arbiter takes the waiter out of the queue; a lease that has been granted already is released.
 */
final class AsyncCaller<T> extends Waiter {

    private final CallFuture<T> future;
    private final Function<Optional<Lease>, T> result;
    private final Arbiters arbiters;

    /** Written under this object's monitor: the caller may line up before it is known where it was submitted. */
    private volatile @Nullable Arbiter arbiter;

    /** Whether the user has ended the future first. */
    private volatile boolean left;

    AsyncCaller(
            Request request,
            boolean singleAttempt,
            long startNanos,
            long deadlineNanos,
            Function<Optional<Lease>, T> result,
            Arbiters arbiters,
            Callbacks callbacks) {
        super(request, singleAttempt, startNanos, deadlineNanos);
        this.result = result;
        this.arbiters = arbiters;
        this.future = new CallFuture<>(callbacks, this::leave);
    }

    /** Returns the future for the user. The waiter was submitted to this arbiter. */
    CompletableFuture<T> future(Arbiter submittedTo) {
        synchronized (this) {
            if (arbiter == null) {
                arbiter = submittedTo;
            }
        }
        return future;
    }

    private void leave() {
        left = true;
        Arbiter submittedTo = arbiter;
        if (submittedTo != null) {
            submittedTo.abandon(this, true, null);
        }
    }

    @Override
    void notifyCaller() {
        if (outcome() == Outcome.NoLease.LINE_UP) {
            Arbiter line = arbiters.lineUp(this);
            synchronized (this) {
                arbiter = line;
            }
            if (left) {
                // It may have been in no queue when the user ended the future.
                line.abandon(this, true, null);
            }
            return;
        }
        report();
        future.ready(this::complete);
    }

    /** Reports the outcome at once: it is not known when the user looks at it. */
    private void report() {
        Outcome outcome = outcome();
        if (outcome instanceof EngineLease lease) {
            lease.received(this);
        } else if (left) {
            reportGivingUp(new CancellationException("The caller has ended its future"));
        } else {
            reportGivingUp(outcome instanceof Outcome.Failure failure ? failure.cause() : null);
        }
    }

    private void complete() {
        Outcome outcome = outcome();
        if (outcome instanceof EngineLease lease) {
            // If the user ended the future first, nobody else knows of the lease.
            if (!future.complete(result.apply(Optional.of(lease)))) {
                var unused = lease.releaseAsync();
            }
        } else if (outcome instanceof Outcome.Failure failure) {
            future.completeExceptionally(failure.cause());
        } else if (!future.isDone()) {
            future.complete(result.apply(Optional.empty()));
        }
    }

    @Override
    boolean needsTimer() {
        return deadlineNanos() != EngineClock.NEVER;
    }
}
