package dev.interlock.reactor;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
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
 * the end. No thread waits. To cancel while the lock is waited for gives up the wait, and leaves nothing behind in the
 * store.
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
        return ReactiveLocks.<T>held(Mono.fromFuture(() -> lock.acquireAsync().toCompletableFuture()), body)
                .singleOrEmpty();
    }

    /** Waits for the lock without limit, and holds it for this term. */
    public static <T> Mono<T> mono(
            DistributedLock lock, LeaseTerm term, Function<? super Lease, ? extends Mono<? extends T>> body) {
        return ReactiveLocks.<T>held(
                        Mono.fromFuture(() -> lock.acquireAsync(term).toCompletableFuture()), body)
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
        return ReactiveLocks.<T>held(tried(() -> lock.tryAcquireAsync(wait)), body)
                .singleOrEmpty();
    }

    /** Waits for the lock without limit, with the lock's own term. */
    public static <T> Flux<T> flux(
            DistributedLock lock, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(Mono.fromFuture(() -> lock.acquireAsync().toCompletableFuture()), body);
    }

    /** Waits for the lock without limit, and holds it for this term. */
    public static <T> Flux<T> flux(
            DistributedLock lock, LeaseTerm term, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(Mono.fromFuture(() -> lock.acquireAsync(term).toCompletableFuture()), body);
    }

    /** Waits for the lock no longer than this; as {@link #tryMono}. */
    public static <T> Flux<T> tryFlux(
            DistributedLock lock, Duration wait, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(tried(() -> lock.tryAcquireAsync(wait)), body);
    }

    /** Waits for this many permits without limit. */
    public static <T> Flux<T> permits(
            DistributedSemaphore semaphore,
            int permits,
            Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(Mono.fromFuture(() -> semaphore.acquireAsync(permits).toCompletableFuture()), body);
    }

    /** Waits for this many permits no longer than this; as {@link #tryMono}. */
    public static <T> Flux<T> tryPermits(
            DistributedSemaphore semaphore,
            int permits,
            Duration wait,
            Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return held(tried(() -> semaphore.tryAcquireAsync(permits, wait)), body);
    }

    /** Empty if the lock was busy; then nothing is held, and the whole is empty. */
    private static Mono<Lease> tried(Supplier<CompletionStage<Optional<Lease>>> attempt) {
        return Mono.fromFuture(() -> attempt.get().toCompletableFuture()).flatMap(Mono::justOrEmpty);
    }

    private static <T> Flux<T> held(
            Mono<Lease> acquisition, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return Flux.usingWhen(
                acquisition,
                lease -> whileHeld(lease, body),
                lease -> release(lease),
                (lease, failure) -> release(lease),
                lease -> release(lease));
    }

    private static <T> Flux<T> whileHeld(Lease lease, Function<? super Lease, ? extends Publisher<? extends T>> body) {
        return Flux.<T>defer(() -> Flux.from(body.apply(lease)))
                .takeUntilOther(loss(lease))
                // Throws after a loss, also after one that the callback has not reported yet.
                .concatWith(Mono.fromRunnable(lease::ensureValid));
    }

    /** Completes when the lease is lost, and never before. An error would end the body without cancelling it. */
    private static Mono<Object> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(cause -> sink.success()));
    }

    private static Mono<?> release(Lease lease) {
        return Mono.fromCompletionStage(lease::releaseAsync);
    }
}
