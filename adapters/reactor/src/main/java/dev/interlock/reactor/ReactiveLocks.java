package dev.interlock.reactor;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Publishers that hold a lock while they are subscribed to.
 *
 * <pre>{@code
 * Mono<Receipt> receipt = ReactiveLocks.mono(lock, lease -> orders.charge(order, lease.token()));
 * Flux<Row> rows = ReactiveLocks.flux(lock, lease -> table.export());
 * }</pre>
 *
 * <p>Nothing happens before the subscription. Each subscription acquires a lease of its own, subscribes to the
 * publisher of the body, and releases the lease when that ends or is cancelled, before the subscriber is notified of
 * the end. No thread waits. To cancel while the lock is waited for, or at the moment of the grant, gives up the wait,
 * and leaves nothing behind in the store.
 *
 * <p>A hold belongs to its subscription, not to a thread: who subscribes within the body to a publisher on the same
 * lock waits for itself.
 *
 * <p>If the lease is lost, the body is cancelled and the subscriber gets a {@link LockLostException}. If the store does
 * not answer, the subscriber gets a {@link dev.interlock.StoreUnavailableException}.
 *
 * <p>Thread-safe.
 */
public final class ReactiveLocks {

    private ReactiveLocks() {}

    /** Waits for the lock without limit, with the lock's own term. */
    public static <T> Mono<T> mono(DistributedLock lock, Function<? super Lease, ? extends Mono<? extends T>> body) {
        return ReactiveLocks.<Lease, T>held(lock::acquireAsync, Optional::of, body)
                .singleOrEmpty();
    }

    /** Waits for the lock without limit, and holds it for this term. */
    public static <T> Mono<T> mono(
            DistributedLock lock, LeaseTerm term, Function<? super Lease, ? extends Mono<? extends T>> body) {
        return ReactiveLocks.<Lease, T>held(() -> lock.acquireAsync(term), Optional::of, body)
                .singleOrEmpty();
    }

    /**
     * Waits for the lock no longer than this.
     *
     * @param wait how long to wait; zero or less tries once
     * @return empty if the lock was not available within the wait; the body has not been called then
     */
    public static <T> Mono<T> tryMono(
            DistributedLock lock, Duration wait, Function<? super Lease, ? extends Mono<? extends T>> body) {
        return ReactiveLocks.<Optional<Lease>, T>held(() -> lock.tryAcquireAsync(wait), granted -> granted, body)
                .singleOrEmpty();
    }

    /** Waits for the lock without limit, with the lock's own term. */
    public static <T> Flux<T> flux(
            DistributedLock lock, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(lock::acquireAsync, Optional::of, body);
    }

    /** Waits for the lock without limit, and holds it for this term. */
    public static <T> Flux<T> flux(
            DistributedLock lock, LeaseTerm term, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(() -> lock.acquireAsync(term), Optional::of, body);
    }

    /** Waits for the lock no longer than this; as {@link #tryMono}. */
    public static <T> Flux<T> tryFlux(
            DistributedLock lock, Duration wait, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(() -> lock.tryAcquireAsync(wait), granted -> granted, body);
    }

    /** Waits for this many permits without limit. */
    public static <T> Flux<T> permits(
            DistributedSemaphore semaphore,
            int permits,
            Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(() -> semaphore.acquireAsync(permits), Optional::of, body);
    }

    /** Waits for this many permits no longer than this; as {@link #tryMono}. */
    public static <T> Flux<T> tryPermits(
            DistributedSemaphore semaphore,
            int permits,
            Duration wait,
            Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(() -> semaphore.tryAcquireAsync(permits, wait), granted -> granted, body);
    }

    /**
     * The acquisition is what is cleaned up, not the lease that it comes to: operators drop a lease that arrives while
     * the subscription is cancelled, and then nobody else would know of it.
     *
     * @param granted the lease of what the acquisition comes to; empty if the lock was busy
     */
    private static <A, T> Flux<T> held(
            Supplier<CompletionStage<A>> acquire,
            Function<A, Optional<Lease>> granted,
            Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return Flux.usingWhen(
                Mono.fromSupplier(() -> new Acquisition<>(granted)),
                acquisition -> acquisition.begin(acquire).flatMapMany(arrived -> granted.apply(arrived)
                        .map(lease -> whileHeld(acquisition, lease, body))
                        .orElseGet(Flux::empty)),
                Acquisition::end,
                (acquisition, failure) -> acquisition.end(),
                Acquisition::end);
    }

    /** The acquisition of one subscription: made before anything is sent, since it may be dropped on its way, too. */
    private static final class Acquisition<A> {

        private final Function<A, Optional<Lease>> granted;

        /** Null before it has begun, which is before {@link #end} can be called. */
        private volatile @Nullable CompletableFuture<A> future;

        /** The monitor guards it. */
        private boolean ended;

        Acquisition(Function<A, Optional<Lease>> granted) {
            this.granted = granted;
        }

        Mono<A> begin(Supplier<CompletionStage<A>> acquire) {
            CompletableFuture<A> begun = acquire.get().toCompletableFuture();
            future = begun;
            return Mono.fromFuture(begun);
        }

        /**
         * The body begins: a client that closes does not give its lock away before the lease ends here. False if that
         * is cancelled already: operators pass a lease on after they were.
         */
        synchronized boolean beginBody(Lease lease) {
            if (!ended) {
                var unused = WorkLease.begin(lease, WorkLease.Place.ANYWHERE);
            }
            return !ended;
        }

        /** Gives it up, or releases what it came to. */
        Mono<?> end() {
            synchronized (this) {
                ended = true;
            }
            CompletableFuture<A> begun = future;
            if (begun == null) {
                return Mono.empty();
            }
            begun.cancel(false);
            // Not cancelled if it came first: then it has its outcome, whether somebody got to know of it or not.
            return begun.isCompletedExceptionally()
                    ? Mono.empty()
                    : Mono.justOrEmpty(granted.apply(begun.join()))
                            .flatMap(lease -> Mono.fromCompletionStage(lease::releaseAsync));
        }
    }

    private static <T> Flux<T> whileHeld(
            Acquisition<?> acquisition, Lease lease, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return Flux.<T>defer(() -> acquisition.beginBody(lease) ? Flux.from(body.apply(lease)) : Flux.empty())
                .takeUntilOther(loss(lease))
                .concatWith(Mono.defer(() -> released(lease)));
    }

    /** Releases after the body, and fails with a loss, of which perhaps only the store knew. */
    private static <T> Mono<T> released(Lease lease) {
        return Mono.fromCompletionStage(lease::releaseAsync)
                .filter(ReleaseOutcome::isLost)
                .flatMap(lost -> Mono.fromRunnable(lease::ensureValid));
    }

    /** Completes when the lease is lost, and never before. An error would end the body without cancelling it. */
    private static Mono<Object> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(cause -> sink.success()));
    }
}
