package dev.interlock.spring;

import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spring.LockedInterceptor.Call;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
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

    /** Whether the method returns a publisher. */
    static boolean handles(Method method) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return true;
        }
        Class<?> type = method.getReturnType();
        return type != void.class && ADAPTERS.getAdapter(type) != null;
    }

    /** What the caller gets: nothing happens before it subscribes. */
    Object run(Call call) {
        Method method = call.invocation().getMethod();
        ReactiveAdapter adapter =
                KotlinDetector.isSuspendingFunction(method) ? null : ADAPTERS.getAdapter(method.getReturnType());
        boolean many = adapter != null && adapter.isMultiValue();
        Flux<Object> locked = Flux.defer(() -> {
            running.enter();
            return locked(call, 0, call.invocation().getArguments()).doFinally(end -> running.leave());
        });
        Publisher<?> result = many ? locked : locked.singleOrEmpty();
        return adapter == null ? result : adapter.fromPublisher(result);
    }

    private Flux<Object> locked(Call call, int index, @Nullable Object[] args) {
        if (index == call.operations().size()) {
            return publisher(() -> call.proceed(args));
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = interceptor.names(call, operation);
        return Flux.usingWhen(
                acquire(operation, names),
                acquired -> acquired.lease().isPresent()
                        ? whileHeld(call, index, args, acquired.lease().get())
                        : instead(call, index, args, names, acquired.failure()),
                Acquired::release,
                (acquired, failure) -> acquired.release(),
                Acquired::release);
    }

    private Mono<Acquired> acquire(LockedOperation operation, List<String> names) {
        return Mono.fromFuture(() -> interceptor.acquireAsync(operation, names).toCompletableFuture())
                .map(lease -> new Acquired(lease, null, operation, System.nanoTime()))
                .onErrorResume(
                        StoreUnavailableException.class,
                        failure -> operation.annotation().onUnavailable() == Locked.OnUnavailable.THROW
                                ? Mono.error(failure)
                                : Mono.just(new Acquired(Optional.empty(), failure, operation, 0)));
    }

    /**
     * What an acquisition came to.
     *
     * @param lease empty if the lock was busy, or the store silent
     * @param failure of the store; null if it answered
     * @param acquiredNanos when the lease was there
     */
    private record Acquired(
            Optional<Lease> lease,
            @Nullable StoreUnavailableException failure,
            LockedOperation operation,
            long acquiredNanos) {

        Mono<?> release() {
            return lease.isEmpty()
                    ? Mono.empty()
                    : Mono.fromCompletionStage(
                            () -> LockedInterceptor.end(lease.get(), operation.leftToLapse(acquiredNanos)));
        }
    }

    private Flux<Object> whileHeld(Call call, int index, @Nullable Object[] args, Lease lease) {
        LockedOperation operation = call.operations().get(index);
        Flux<Object> body =
                Flux.defer(() -> locked(call, index + 1, LockedOperation.withLease(operation.method(), args, lease)));
        return switch (operation.annotation().onLost()) {
            case IGNORE -> body;
            case THROW -> body.concatWith(stillHeld(lease));
            case INTERRUPT -> body.takeUntilOther(loss(lease)).concatWith(stillHeld(lease));
        };
    }

    /** Ends empty, or with the loss of the lease. */
    private static Mono<Object> stillHeld(Lease lease) {
        return Mono.fromRunnable(lease::ensureValid);
    }

    /** Completes when the lease is lost, and never before. An error would end the body without cancelling it. */
    private static Mono<Object> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(cause -> sink.success()));
    }

    private Flux<Object> instead(
            Call call,
            int index,
            @Nullable Object[] args,
            List<String> names,
            @Nullable StoreUnavailableException failure) {
        LockedOperation operation = call.operations().get(index);
        if (failure == null) {
            return publisher(() -> interceptor.busy(call, operation, names));
        }
        if (operation.annotation().onUnavailable() == Locked.OnUnavailable.SKIP) {
            return Flux.empty();
        }
        LockedInterceptor.warnOfRunningWithout(operation, names, failure);
        return locked(call, index + 1, LockedOperation.withLease(operation.method(), args, null));
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
