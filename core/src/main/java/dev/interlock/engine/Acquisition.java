package dev.interlock.engine;

import dev.interlock.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Acquires a lease: blocking or by a future; with one attempt, within a time, or without limit. */
final class Acquisition {

    private final EngineContext context;
    private final Arbiters arbiters;
    private final Request request;

    Acquisition(EngineCore core, Request request) {
        this.context = core.context();
        this.arbiters = core.arbiters();
        this.request = request;
        // The first lookup may be slow. It must not happen while a claim is made: that is under the arbiter's monitor,
        // and after the time of the request was taken.
        context.claims().prepare();
    }

    /** Waits without limit. An interrupt is kept for later. */
    EngineLease uninterruptibly() {
        return granted(acquireUninterruptibly(blocked(false, EngineClock.NEVER).lending()));
    }

    /** Waits until acquired or interrupted. */
    EngineLease untilInterrupted() throws InterruptedException {
        return granted(acquire(blocked(false, EngineClock.NEVER), true));
    }

    /** One attempt, which ends when the store answers: a wait of zero. */
    @Nullable
    EngineLease once() {
        return acquireUninterruptibly(blocked(true, context.now()));
    }

    /** Waits at most this long. */
    @Nullable
    EngineLease within(Duration wait) throws InterruptedException {
        long nanos = EngineClock.nanos(wait);
        return acquire(blocked(nanos == 0, context.now() + nanos), true);
    }

    CompletableFuture<Lease> async() {
        return async(Optional::orElseThrow);
    }

    /** @param result makes the result of the future; must not block */
    <T> CompletableFuture<T> async(Function<Optional<Lease>, T> result) {
        return submit(false, EngineClock.NEVER, result);
    }

    CompletableFuture<Optional<Lease>> asyncOnce() {
        return submit(true, context.now(), Function.identity());
    }

    CompletableFuture<Optional<Lease>> asyncWithin(Duration wait) {
        return asyncWithin(wait, Function.identity());
    }

    <T> CompletableFuture<T> asyncWithin(Duration wait, Function<Optional<Lease>, T> result) {
        long nanos = EngineClock.nanos(wait);
        return submit(nanos == 0, context.now() + nanos, result);
    }

    private @Nullable EngineLease acquireUninterruptibly(BlockedCaller caller) {
        try {
            return acquire(caller, false);
        } catch (InterruptedException e) {
            throw new AssertionError("An uninterruptible wait was interrupted", e);
        }
    }

    /** Waits for the outcome of a blocked caller, and reports it on the caller's thread. */
    private @Nullable EngineLease acquire(BlockedCaller caller, boolean interruptible) throws InterruptedException {
        context.store().ensureMayWait();
        caller.watch(context.observers().acquiring(request));
        EngineLease lease;
        try {
            awaitOutcome(caller, arbiters.submit(caller), interruptible);
            lease = leaseOrNull(caller);
        } catch (Throwable e) {
            caller.reportGivingUp(e);
            throw e;
        }
        if (lease == null) {
            caller.reportGivingUp(null);
        } else {
            lease.received(caller);
        }
        return lease;
    }

    private <T> CompletableFuture<T> submit(
            boolean singleAttempt, long deadlineNanos, Function<Optional<Lease>, T> result) {
        AsyncCaller<T> caller = new AsyncCaller<>(
                request, singleAttempt, context.now(), deadlineNanos, result, arbiters, context.callbacks());
        caller.watch(context.observers().acquiring(request));
        try {
            return caller.future(arbiters.submit(caller));
        } catch (Throwable e) {
            caller.reportGivingUp(e);
            throw e;
        }
    }

    /**
     * Sleeps until the caller has an outcome. When its time is over it leaves the queue, which also is an outcome; or
     * it stays for the first answer of the store, and then the arbiter ends it.
     */
    private void awaitOutcome(BlockedCaller caller, Arbiter first, boolean interruptible) throws InterruptedException {
        Outcome outcome = caller.outcome();
        if (outcome != null && outcome != Outcome.NoLease.LINE_UP) {
            return;
        }
        // The test keeps the event class from being loaded, as that of a lease.
        WaitEvent event =
                FlightRecorder.isInitialized() ? WaitEvent.begin(request.id().name()) : null;
        Arbiter arbiter = first;
        boolean interrupted = false;
        long until = caller.isSingleAttempt() ? EngineClock.NEVER : caller.deadlineNanos();
        while (true) {
            outcome = caller.outcome();
            if (outcome == Outcome.NoLease.LINE_UP) {
                // Its time may have been over, or an interrupt have come, when it was in no queue.
                until = caller.deadlineNanos();
                arbiter = arbiters.lineUp(caller);
                continue;
            }
            if (outcome != null) {
                break;
            }
            if (Thread.interrupted() || (interrupted && interruptible)) {
                if (interruptible && arbiter.abandon(caller, true, null)) {
                    if (event != null) {
                        event.finish(false);
                    }
                    throw new InterruptedException();
                }
                // The outcome was decided first and counts; the interrupt is kept for the caller.
                interrupted = true;
                // Waiting for the arbiter's monitor may have consumed the unpark that came with the outcome: look at
                // the outcome again before parking.
                continue;
            }
            long now = context.now();
            if (caller.takeSignal()) {
                arbiter.onArrival(caller);
            } else if (now >= until) {
                arbiter.abandon(caller, false, null);
                until = EngineClock.NEVER;
            } else {
                caller.park(context.clock(), until, now);
            }
        }
        if (event != null) {
            event.finish(outcome instanceof EngineLease);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private BlockedCaller blocked(boolean singleAttempt, long deadlineNanos) {
        return new BlockedCaller(request, singleAttempt, context.now(), deadlineNanos);
    }

    private EngineLease granted(@Nullable EngineLease lease) {
        if (lease == null) {
            throw new AssertionError("A caller without a deadline was refused: lock " + request.id());
        }
        return lease;
    }

    private static @Nullable EngineLease leaseOrNull(BlockedCaller caller) {
        Outcome outcome = caller.outcome();
        if (outcome instanceof EngineLease lease) {
            return lease;
        }
        if (outcome instanceof Outcome.Failure failure) {
            RuntimeException cause = failure.cause();
            cause.fillInStackTrace();
            throw cause;
        }
        return null;
    }
}
