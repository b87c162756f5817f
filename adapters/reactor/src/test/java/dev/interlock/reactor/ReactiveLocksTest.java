package dev.interlock.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A publisher holds its lock from the subscription to its end, and never longer. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReactiveLocksTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final Interlock interlock = Interlock.inMemory();
    private final DistributedLock lock = interlock.lock("orders:42");

    @AfterEach
    void nothingIsLeft() {
        await().atMost(AMPLE)
                .until(() -> interlock.administration().list("", 10).isEmpty());
        assertThat(lock.inspect().waiters()).isEmpty();
        interlock.close();
    }

    @Test
    void eachSubscription_holdsALeaseOfItsOwn() {
        Mono<Long> token = ReactiveLocks.mono(lock, lease -> {
            assertThat(lock.isLocked()).isTrue();
            return Mono.just(lease.token());
        });
        assertThat(lock.isLocked()).isFalse();
        Long first = token.block(AMPLE);
        assertThat(lock.isLocked()).as("released before the end is told").isFalse();
        assertThat(token.block(AMPLE)).isGreaterThan(first);
    }

    @Test
    void manySubscriptions_areNeverInsideTogether() {
        AtomicInteger inside = new AtomicInteger();
        Mono<Integer> one = ReactiveLocks.mono(lock, lease -> Mono.fromCallable(() -> {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    return inside.decrementAndGet();
                })
                .subscribeOn(Schedulers.parallel()));
        assertThat(Flux.range(0, 1000).flatMap(i -> one, 1000).count().block(AMPLE))
                .isEqualTo(1000);
    }

    @Test
    void errorOfTheBody_isPassedOn() {
        Flux<Object> failing = ReactiveLocks.flux(lock, lease -> Flux.error(new IllegalStateException("of the body")));
        assertThatThrownBy(() -> failing.blockLast(AMPLE)).hasMessage("of the body");
        Flux<Object> throwing = ReactiveLocks.flux(lock, lease -> {
            throw new IllegalStateException("of the function");
        });
        assertThatThrownBy(() -> throwing.blockLast(AMPLE)).hasMessage("of the function");
    }

    @Test
    void busy_isEmpty_andTheBodyIsNotCalled() throws InterruptedException {
        try (Lease held = lock.acquire()) {
            Mono<String> tried = ReactiveLocks.tryMono(lock, Duration.ZERO, lease -> Mono.error(new AssertionError()));
            assertThat(tried.blockOptional(AMPLE)).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
        assertThat(ReactiveLocks.tryFlux(lock, AMPLE, lease -> Flux.just(1, 2))
                        .collectList()
                        .block(AMPLE))
                .isEqualTo(List.of(1, 2));
    }

    @Test
    void cancellationWhileWaiting_leavesNothing() throws InterruptedException {
        try (Lease held = lock.acquire()) {
            Disposable waiting = ReactiveLocks.mono(lock, lease -> Mono.error(new AssertionError()))
                    .subscribe();
            waiting.dispose();
            await().atMost(AMPLE).until(() -> lock.inspect().waiters().isEmpty());
            assertThat(held.isValid()).isTrue();
        }
    }

    /** A grant and a cancellation at the same moment: whichever comes first, no lease is left with nobody. */
    @Test
    void cancellationAtTheMomentOfTheGrant_leavesNoLease() {
        for (int i = 0; i < 1000; i++) {
            ReactiveLocks.mono(lock, lease -> Mono.never()).subscribe().dispose();
        }
    }

    /** What it cannot end it does not give away. */
    @Test
    void clientThatCloses_keepsTheLockOfABodyThatGoesOn() {
        MemoryStore store = new MemoryStore();
        Interlock closing =
                Interlock.builder(store).closeTimeout(Duration.ofMillis(50)).build();
        try (Interlock other = Interlock.builder(store.session()).build()) {
            Disposable body =
                    ReactiveLocks.mono(closing.lock("n"), lease -> Mono.never()).subscribe();
            await().atMost(AMPLE).until(other.lock("n")::isLocked);
            closing.close();
            assertThat(other.lock("n").isLocked()).isTrue();
            body.dispose();
            await().atMost(AMPLE).until(() -> !other.lock("n").isLocked());
        }
    }

    @Test
    void cancellationOfTheBody_releases() {
        Disposable subscription =
                ReactiveLocks.flux(lock, lease -> Flux.never()).subscribe();
        await().atMost(AMPLE).until(lock::isLocked);
        subscription.dispose();
    }

    /** This client does not know of it before it asks the store. */
    @Test
    void lossThatTheReleaseFinds_isTheError() {
        MemoryStore store = new MemoryStore();
        try (Interlock client = Interlock.builder(store.session()).build();
                Interlock operator = Interlock.builder(store.session()).build()) {
            DistributedLock job = client.lock("job");
            Mono<Boolean> forced =
                    Mono.fromSupplier(() -> operator.administration().forceUnlock("job"));
            assertThatThrownBy(() -> ReactiveLocks.mono(job, lease -> forced).block())
                    .isInstanceOf(LockLostException.class);
            assertThatThrownBy(() ->
                            ReactiveLocks.flux(job, lease -> forced.flux()).blockLast())
                    .isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> ReactiveLocks.mono(job, lease -> forced.then(Mono.error(new Exception("own"))))
                            .block())
                    .hasMessageContaining("own");
        }
    }

    @Test
    void loss_cancelsTheBody_andIsTheError() {
        CompletableFuture<Boolean> entered = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        Mono<Object> body = Mono.never()
                .doOnSubscribe(subscription -> entered.complete(true))
                .doOnCancel(() -> cancelled.complete(true));
        CompletableFuture<Object> result =
                ReactiveLocks.mono(lock, lease -> body).toFuture();
        // The lease may be lost before the body is called, and then it never is.
        entered.join();
        interlock.administration().forceUnlock(lock.name());
        assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
        assertThat(cancelled.join()).isTrue();
    }

    @Test
    void permits_areLimited() {
        DistributedSemaphore semaphore = interlock.semaphore("pool", 2);
        Flux<Boolean> nested = ReactiveLocks.permits(
                semaphore, 2, lease -> ReactiveLocks.tryPermits(semaphore, 1, Duration.ZERO, inner -> Mono.just(true))
                        .defaultIfEmpty(false));
        assertThat(nested.blockLast(AMPLE)).isFalse();
    }
}
