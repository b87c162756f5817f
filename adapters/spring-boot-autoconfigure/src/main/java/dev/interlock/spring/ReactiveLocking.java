package dev.interlock.spring;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spring.LockedInterceptor.Call;
import dev.interlock.spring.RunningMethods.Run;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods that return a publisher, and Kotlin's suspending functions, which Spring hands over as one: each subscription
 * acquires a lease of its own, and releases it when the publisher ends or is cancelled. No thread waits.
 */
final class ReactiveLocking {

    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private final LockedInterceptor interceptor;
    private final RunningMethods running;

    ReactiveLocking(LockedInterceptor interceptor, RunningMethods running) {
        this.interceptor = interceptor;
        this.running = running;
    }

    /** What the caller gets: nothing happens before it subscribes. */
    Object run(Call call) {
        // Not those of the invocation, which may be of a generic interface.
        LockedOperation operation = call.operations().get(0);
        ReactiveAdapter adapter = KotlinDetector.isSuspendingFunction(operation.method())
                ? null
                : ADAPTERS.getAdapter(operation.resultType());
        boolean many = adapter != null && adapter.isMultiValue();
        Flux<Object> locked = Flux.defer(() -> {
            Run run = running.enterAsync(call.where());
            // What cannot be begun, such as a name that is null, has to leave, too.
            return transaction()
                    .doOnNext(run::transaction)
                    .thenMany(Flux.defer(
                            () -> locked(call, run, 0, call.invocation().getArguments())))
                    .doFinally(end -> running.leave(run));
        });
        Publisher<?> result = many ? locked : locked.singleOrEmpty();
        if (adapter == null) {
            return result;
        }
        Object adapted = adapter.fromPublisher(result);
        return adapter.getReactiveType().getName().equals(LockedFlow.TYPE) ? LockedFlow.stepping(adapted) : adapted;
    }

    /** The transaction of the subscriber's context, or of the thread that subscribes; empty if there is none. */
    private static Mono<CallerTransaction> transaction() {
        return LockedInterceptor.TRANSACTIONS
                ? ReleaseAfterReactiveTransaction.ofTheSubscriber()
                        .switchIfEmpty(Mono.defer(() -> Mono.justOrEmpty(ReleaseAfterTransaction.ofThread())))
                : Mono.empty();
    }

    /**
     * The acquisition is what is cleaned up, not the lease that it comes to: operators drop a lease that arrives while
     * the subscription is cancelled, and then nobody else would know of it.
     */
    private Flux<Object> locked(Call call, Run run, int index, @Nullable Object[] args) {
        if (index == call.operations().size()) {
            return publisher(() -> call.proceed(args));
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = interceptor.names(call, run, operation);
        return Flux.usingWhen(
                Mono.fromSupplier(() -> new Acquisition(operation)),
                acquisition -> acquisition
                        .begin(Grip.take(interceptor, operation, names, run.transaction()))
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
            LockedInterceptor.beginWork(lease);
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
            Call call, Run run, int index, @Nullable Object[] args, Lease lease, Acquisition acquisition) {
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
            Call call,
            Run run,
            int index,
            @Nullable Object[] args,
            List<String> names,
            @Nullable StoreUnavailableException failure) {
        LockedOperation operation = call.operations().get(index);
        if (failure == null) {
            return publisher(() -> interceptor.busy(call, operation, names));
        }
        if (operation.annotation().onUnavailable() == Locked.OnUnavailable.SKIP) {
            return publisher(operation::skipped);
        }
        LockedInterceptor.warnOfRunningWithout(operation, names, failure);
        return locked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, null));
    }

    /** The publisher that a call returns. */
    private static Flux<Object> publisher(Source source) {
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
            ReactiveAdapter adapter = ADAPTERS.getAdapter(result.getClass(), result);
            return adapter == null ? Flux.just(result) : Flux.from(adapter.toPublisher(result));
        });
    }

    /** A call that returns a publisher. */
    private interface Source {
        @Nullable
        Object get() throws Throwable;
    }
}
