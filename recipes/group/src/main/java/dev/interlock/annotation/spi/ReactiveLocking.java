package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods.Run;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods that return a publisher, and Kotlin's suspending functions, which the framework hands over as one: each
 * subscription acquires a lease of its own, and releases it when the publisher ends or is cancelled. No thread waits.
 */
final class ReactiveLocking {

    private final Locking locking;

    ReactiveLocking(Locking locking) {
        this.locking = locking;
    }

    /** What the caller gets: nothing happens before it subscribes. */
    Object run(LockedCall call) {
        PublisherType type = call.operations().get(0).publisher();
        RunningMethods running = locking.framework().running();
        Flux<Object> locked = Flux.defer(() -> {
            Run run = running.enterAsync(call.where());
            // What cannot be begun, such as a name that is null, has to leave, too.
            return transaction()
                    .doOnNext(run::transaction)
                    .thenMany(Flux.defer(() -> locked(call, run, 0, call.call().arguments())))
                    .doFinally(end -> running.leave(run));
        });
        Publisher<?> result = type != null && type.isMultiValue() ? locked : locked.singleOrEmpty();
        return type == null ? result : type.fromPublisher(result);
    }

    /** The transaction of the subscriber's context, or of the thread that subscribes; empty if there is none. */
    private Mono<CallerTransaction> transaction() {
        SubscriberTransactions transactions = locking.framework().subscriberTransactions();
        Mono<CallerTransaction> ofThread = Mono.fromSupplier(locking.framework()::transaction);
        return transactions == null
                ? ofThread
                : Mono.from(transactions.ofSubscriber()).switchIfEmpty(ofThread);
    }

    /**
     * The acquisition is what is cleaned up, not the lease that it comes to: operators drop a lease that arrives while
     * the subscription is cancelled, and then nobody else would know of it.
     */
    private Flux<Object> locked(LockedCall call, Run run, int index, @Nullable Object[] args) {
        if (index == call.operations().size()) {
            return publisher(call, () -> call.call().proceed(args));
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = locking.names(call, run, operation);
        return Flux.usingWhen(
                Mono.fromSupplier(() -> new Acquisition(operation)),
                acquisition -> acquisition
                        .begin(Grip.take(locking, operation, names, run.transaction()))
                        .map(Outcome::new)
                        .onErrorResume(
                                StoreUnavailableException.class,
                                failure -> operation.annotation().onUnavailable() == Locked.OnUnavailable.THROW
                                        ? Mono.error(failure)
                                        : Mono.just(new Outcome(failure)))
                        .flatMapMany(outcome -> outcome.lease().isPresent()
                                ? whileHeld(
                                        call, run, index, args, outcome.lease().get(), acquisition)
                                : instead(call, run, index, args, names, outcome.failure())),
                Acquisition::end,
                (acquisition, failure) -> acquisition.end(),
                Acquisition::end);
    }

    /**
     * What an acquisition came to.
     *
     * @param lease empty if the lock was busy, or the store silent
     * @param failure of the store; null if it answered
     */
    private record Outcome(Optional<Lease> lease, @Nullable StoreUnavailableException failure) {

        Outcome(Optional<Lease> lease) {
            this(lease, null);
        }

        Outcome(StoreUnavailableException failure) {
            this(Optional.empty(), failure);
        }
    }

    /** The acquisition of one subscription: made before anything is sent, since it may be dropped on its way, too. */
    private static final class Acquisition {

        private final LockedOperation operation;

        /** Null before it has begun, which is before {@link #end} can be called. */
        private volatile @Nullable Grip grip;

        /** When the body began; zero before. */
        private volatile long bodyNanos;

        /** The body and the subscriber may end at the same moment. */
        private final AtomicBoolean ended = new AtomicBoolean();

        Acquisition(LockedOperation operation) {
            this.operation = operation;
        }

        Mono<Optional<Lease>> begin(Grip begun) {
            grip = begun;
            // At once, and not at the end: what runs in the place of the body may want the lock.
            return Mono.fromFuture(begun.future())
                    .doOnNext(lease -> {
                        if (lease.isEmpty()) {
                            begun.fail();
                        }
                    })
                    .doOnError(failure -> begun.fail());
        }

        void beginBody(Lease lease) {
            long now = System.nanoTime();
            bodyNanos = now == 0 ? 1 : now;
            operation.runs();
            Locking.beginWork(lease);
            Objects.requireNonNull(grip).begin(lease);
        }

        /** Gives it up, or ends the lease that it came to, once. */
        Mono<ReleaseOutcome> end() {
            if (!ended.compareAndSet(false, true)) {
                return Mono.empty();
            }
            Grip begun = grip;
            if (begun == null) {
                return Mono.empty();
            }
            CompletableFuture<Optional<Lease>> future = begun.future();
            future.cancel(false);
            // Not cancelled if it came first: then it has its outcome, whether somebody got to know of it or not.
            Optional<Lease> came = future.isCompletedExceptionally() ? Optional.empty() : future.join();
            if (came.isEmpty()) {
                begun.fail();
                return Mono.empty();
            }
            CompletionStage<ReleaseOutcome> release = begun.end(came.get(), this::leftToLapse);
            // Null if the transaction of the subscriber releases it.
            return release == null ? Mono.empty() : Mono.fromCompletionStage(release);
        }

        /** A job that has not begun does not keep others from it. */
        private Duration leftToLapse() {
            return bodyNanos == 0 ? Duration.ZERO : operation.leftToLapse(bodyNanos);
        }
    }

    private Flux<Object> whileHeld(
            LockedCall call, Run run, int index, @Nullable Object[] args, Lease lease, Acquisition acquisition) {
        LockedOperation operation = call.operations().get(index);
        Flux<Object> body = Flux.defer(() -> {
            if (acquisition.ended.get()) {
                // Operators pass a lease on after they were cancelled.
                return Flux.empty();
            }
            acquisition.beginBody(lease);
            return locked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, lease));
        });
        return switch (operation.annotation().onLost()) {
            case IGNORE -> body;
            case THROW -> body.concatWith(stillHeld(lease, acquisition));
            case INTERRUPT -> body.takeUntilOther(loss(lease)).concatWith(stillHeld(lease, acquisition));
        };
    }

    /** Ends the lease, and ends empty, or with the loss of the lease, of which perhaps only the store knew. */
    private static Mono<Object> stillHeld(Lease lease, Acquisition acquisition) {
        return Mono.<ReleaseOutcome>fromRunnable(lease::ensureValid)
                .concatWith(Mono.defer(acquisition::end))
                .filter(ReleaseOutcome::isLost)
                .doOnNext(lost -> lease.ensureValid())
                .then(Mono.empty());
    }

    /** Completes when the lease is lost, and never before. An error would end the body without cancelling it. */
    private static Mono<Object> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(cause -> sink.success()));
    }

    private Flux<Object> instead(
            LockedCall call,
            Run run,
            int index,
            @Nullable Object[] args,
            List<String> names,
            @Nullable StoreUnavailableException failure) {
        LockedOperation operation = call.operations().get(index);
        if (failure == null) {
            return publisher(call, () -> locking.busy(call, operation, names));
        }
        if (operation.annotation().onUnavailable() == Locked.OnUnavailable.SKIP) {
            return publisher(call, operation::skipped);
        }
        Locking.warnOfRunningWithout(operation, names, failure);
        return locked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, null));
    }

    /** The publisher that a call returns. */
    private static Flux<Object> publisher(LockedCall call, Source source) {
        return Flux.defer(() -> {
            Object result;
            try {
                result = source.get();
            } catch (Throwable e) {
                return Flux.error(e);
            }
            if (result == null) {
                return Flux.empty();
            }
            PublisherType type = call.operations().get(0).forms().publisher(result.getClass());
            return type == null ? Flux.just(result) : Flux.from(type.toPublisher(result));
        });
    }

    /** A call that returns a publisher. */
    private interface Source {
        @Nullable
        Object get() throws Throwable;
    }
}
