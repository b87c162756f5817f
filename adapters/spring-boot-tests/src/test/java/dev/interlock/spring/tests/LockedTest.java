package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LockAdministration;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods with {@link Locked}, in an application context, on locks in memory. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockedTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory);

    record Order(@Nullable String id) {}

    // ---- synchronous methods

    static class Orders {
        @Locked("order:#{#order.id}")
        public long charge(Order order, @Nullable Lease lease, Supplier<Boolean> body) {
            assertThat(body.get()).isTrue();
            return lease == null ? -1 : lease.token();
        }

        @Locked(value = "order:#{#a0.id}", waitAtMost = "0s")
        public void orThrow(Order order) {}

        @Locked(value = "order:#{#order.id}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Optional<String> orSkip(Order order) {
            return Optional.of("ran");
        }

        @Locked(value = "order:#{#order.id}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public int orZero(Order order) {
            return 7;
        }

        @Locked(
                value = "order:#{#order.id}",
                waitAtMost = "${wait:0s}",
                onBusy = Locked.OnBusy.FALLBACK,
                fallback = "instead")
        public String orInstead(Order order) {
            return "ran";
        }

        String instead(Order order) {
            return "instead of " + order.id();
        }
    }

    @Test
    void body_runsUnderTheLock_withItsToken() {
        application.withBean(Orders.class).run(context -> {
            DistributedLock lock = context.getBean(Interlock.class).lock("order:42");
            Orders orders = context.getBean(Orders.class);
            long first = orders.charge(new Order("42"), null, lock::isHeldByCurrentThread);
            long second = orders.charge(new Order("42"), null, lock::isHeldByCurrentThread);
            assertThat(first).isPositive();
            assertThat(second).isGreaterThan(first);
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void exceptionOfTheBody_isPassedOn_andTheLockReleased() {
        application.withBean(Orders.class).run(context -> {
            DistributedLock lock = context.getBean(Interlock.class).lock("order:42");
            assertThatThrownBy(() -> context.getBean(Orders.class).charge(new Order("42"), null, () -> {
                        throw new IllegalStateException("of the body");
                    }))
                    .hasMessage("of the body");
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void busy_throwsSkipsOrFallsBack() {
        application.withBean(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            Order order = new Order("42");
            assertThat(orders.orInstead(order)).isEqualTo("ran");
            try (Lease held = context.getBean(Interlock.class).lock("order:42").acquire()) {
                assertThatThrownBy(() -> orders.orThrow(order))
                        .isInstanceOf(LockBusyException.class)
                        .hasMessageContaining("order:42");
                assertThat(orders.orSkip(order)).isEmpty();
                assertThat(orders.orZero(order)).isZero();
                assertThat(orders.orInstead(order)).isEqualTo("instead of 42");
                assertThat(held.isValid()).isTrue();
            }
            assertThat(orders.orSkip(order)).hasValue("ran");
        });
    }

    @Test
    void nullInAName_isRefused_andNothingIsLocked() {
        application.withBean(Orders.class).run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).orThrow(new Order(null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("#a0.id")
                    .hasMessageContaining("null");
            assertThat(context.getBean(Interlock.class).administration().list("", 10))
                    .isEmpty();
        });
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @Locked("")
    @interface Account {
        @AliasFor(annotation = Locked.class, attribute = "value")
        String[] value();
    }

    static class Accounts {
        @Account({"account:#{#from}", "account:#{#to}"})
        public void transfer(String from, String to, Runnable body) {
            body.run();
        }

        @Locked(value = "pool", kind = Locked.Kind.PERMITS, capacity = 2, waitAtMost = "0s")
        public void permit(Runnable body) {
            body.run();
        }

        @Locked(value = "book", kind = Locked.Kind.READ)
        @Locked("outer")
        public void read(Runnable body) {
            body.run();
        }
    }

    @Test
    void severalNames_areHeldTogether_byAMetaAnnotation() {
        application.withBean(Accounts.class).run(context -> {
            Interlock interlock = context.getBean(Interlock.class);
            context.getBean(Accounts.class).transfer("a", "b", () -> {
                assertThat(interlock.lock("account:a").isLocked()).isTrue();
                assertThat(interlock.lock("account:b").isLocked()).isTrue();
            });
            assertThat(interlock.administration().list("", 10)).isEmpty();
        });
    }

    @Test
    void permits_areLimited() {
        application.withBean(Accounts.class).run(context -> {
            Accounts accounts = context.getBean(Accounts.class);
            accounts.permit(() -> accounts.permit(
                    () -> assertThatThrownBy(() -> accounts.permit(() -> {})).isInstanceOf(LockBusyException.class)));
        });
    }

    @Test
    void repeated_takesBoth() {
        application.withBean(Accounts.class).run(context -> {
            Interlock interlock = context.getBean(Interlock.class);
            context.getBean(Accounts.class).read(() -> {
                assertThat(interlock.lock("outer").isLocked()).isTrue();
                assertThat(interlock.readWriteLock("book").readLock().isLocked())
                        .isTrue();
                assertThat(interlock.readWriteLock("book").writeLock().tryAcquire())
                        .isEmpty();
            });
        });
    }

    @Locked("whole")
    static class Whole {
        public boolean locked(DistributedLock lock) {
            return lock.isHeldByCurrentThread();
        }
    }

    @Test
    void type_locksItsPublicMethods() {
        application.withBean(Whole.class).run(context -> assertThat(context.getBean(Whole.class)
                        .locked(context.getBean(Interlock.class).lock("whole")))
                .isTrue());
    }

    // ---- loss and silence

    static class Losing {
        @Locked("lost")
        public void interrupted(CountDownLatch entered) throws InterruptedException {
            entered.countDown();
            new CountDownLatch(1).await();
        }

        @Locked(value = "lost", onLost = Locked.OnLost.THROW)
        public void thrown(Runnable body) {
            body.run();
        }

        @Locked(value = "lost", onLost = Locked.OnLost.IGNORE)
        public String ignored(Runnable body) {
            body.run();
            return "done";
        }
    }

    @Test
    void loss_interruptsTheBody() {
        application.withBean(Losing.class).run(context -> {
            CountDownLatch entered = new CountDownLatch(1);
            CompletableFuture<Void> call = CompletableFuture.runAsync(() -> {
                try {
                    context.getBean(Losing.class).interrupted(entered);
                } catch (InterruptedException e) {
                    throw new AssertionError("the interrupt is not the caller's", e);
                }
            });
            entered.await();
            context.getBean(Interlock.class).administration().forceUnlock("lost");
            assertThatThrownBy(call::join).hasCauseInstanceOf(LockLostException.class);
        });
    }

    @Test
    void loss_isThrownAfterTheBody_orIgnored() {
        application.withBean(Losing.class).run(context -> {
            Interlock client = context.getBean(Interlock.class);
            DistributedLock lock = client.lock("lost");
            Runnable lose = () -> client.administration().forceUnlock("lost");
            assertThatThrownBy(() -> context.getBean(Losing.class).thrown(lose)).isInstanceOf(LockLostException.class);
            assertThat(context.getBean(Losing.class).ignored(lose)).isEqualTo("done");
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    /** Its leases are lost as soon as they are there. */
    private static final class Unlucky implements LockObserver, LockObserver.Acquisition {

        private @Nullable Interlock client;

        InterlockBuilder addTo(InterlockBuilder builder) {
            return builder.observer(this).whenBuilt(built -> client = built);
        }

        @Override
        public LockObserver.Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return this;
        }

        @Override
        public void acquired(long token, LeaseOrigin origin, Duration waited) {
            assertThat(Objects.requireNonNull(client).administration().forceUnlock("lost"))
                    .isTrue();
        }
    }

    /** The interrupt of a body that does not begin would meet what the thread does next. */
    @Test
    void lossBeforeTheBody_isThrown_andInterruptsNothing() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withBean(Interlock.class, () -> new Unlucky()
                        .addTo(Interlock.builder(new MemoryStore()).callbackExecutor(Runnable::run))
                        .build())
                .withBean(Losing.class)
                .run(context -> {
                    CountDownLatch entered = new CountDownLatch(1);
                    assertThatThrownBy(() -> context.getBean(Losing.class).interrupted(entered))
                            .isInstanceOf(LockLostException.class);
                    assertThat(entered.getCount()).isOne();
                    assertThat(Thread.interrupted()).isFalse();
                });
    }

    static class Unavailable {
        @Locked(value = "a", waitAtMost = "10ms")
        public String thrown() {
            return "ran";
        }

        @Locked(value = "a", waitAtMost = "10ms", onUnavailable = Locked.OnUnavailable.SKIP)
        public @Nullable String skipped() {
            return "ran";
        }

        @Locked(value = "a", waitAtMost = "10ms", onUnavailable = Locked.OnUnavailable.PROCEED)
        public String without() {
            return "ran";
        }
    }

    /** Nothing listens on port 1. */
    @Test
    void silentStore_throwsSkipsOrRunsWithout() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withPropertyValues("interlock.uri=redis://127.0.0.1:1", "interlock.close-timeout=10ms")
                .withBean(Unavailable.class)
                .run(context -> {
                    Unavailable bean = context.getBean(Unavailable.class);
                    // A refused connection, not only an answer that is late: until then the lock counts as busy.
                    await().untilAsserted(() ->
                            assertThatThrownBy(bean::thrown).isInstanceOf(StoreUnavailableException.class));
                    assertThat(bean.skipped()).isNull();
                    assertThat(bean.without()).isEqualTo("ran");
                });
    }

    // ---- asynchronous methods

    static class Async {
        @Locked("async")
        public CompletionStage<Long> stage(@Nullable Lease lease, CompletableFuture<Long> body) {
            return lease == null ? CompletableFuture.failedFuture(new AssertionError("no lease")) : body;
        }

        @Locked("async")
        public Mono<Long> mono(@Nullable Lease lease, Mono<Long> body) {
            return body.map(value -> lease == null ? -1 : value);
        }

        @Locked(value = "async", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Flux<Integer> flux(Flux<Integer> body) {
            return body;
        }
    }

    private void withAsync(Consumer<AsyncScene> scene) {
        application.withBean(Async.class).run(context -> {
            DistributedLock lock = context.getBean(Interlock.class).lock("async");
            LockAdministration administration = context.getBean(Interlock.class).administration();
            scene.accept(new AsyncScene(context.getBean(Async.class), lock, administration));
            await().atMost(AMPLE).until(() -> !lock.isLocked());
        });
    }

    private record AsyncScene(Async bean, DistributedLock lock, LockAdministration administration) {}

    @Test
    void stage_holdsUntilItCompletes() {
        withAsync(scene -> {
            CompletableFuture<Long> body = new CompletableFuture<>();
            CompletableFuture<Long> result = scene.bean().stage(null, body).toCompletableFuture();
            await().atMost(AMPLE).until(() -> scene.lock().isLocked());
            assertThat(result).isNotDone();
            body.complete(5L);
            assertThat(result.join()).isEqualTo(5);
            assertThat(scene.lock().isLocked()).isFalse();
        });
    }

    @Test
    void stage_thatIsCancelledWhileItWaits_givesUp() {
        withAsync(scene -> {
            try (Lease held = scene.lock().tryAcquire().orElseThrow()) {
                CompletableFuture<Long> result =
                        scene.bean().stage(null, new CompletableFuture<>()).toCompletableFuture();
                result.cancel(true);
                assertThatThrownBy(result::join).isInstanceOf(CancellationException.class);
                await().atMost(AMPLE)
                        .untilAsserted(() ->
                                assertThat(scene.lock().inspect().waiters()).isEmpty());
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    @Test
    void mono_acquiresAtEachSubscription_andReleasesAfter() {
        withAsync(scene -> {
            Mono<Long> locked =
                    scene.bean().mono(null, Mono.fromCallable(() -> scene.lock().isLocked() ? 1L : 0L));
            assertThat(scene.lock().isLocked()).isFalse();
            assertThat(locked.block(AMPLE)).isEqualTo(1);
            assertThat(locked.block(AMPLE)).isEqualTo(1);
        });
    }

    @Test
    void flux_thatIsCancelled_releases() {
        withAsync(scene -> {
            Sinks.Many<Integer> sink = Sinks.many().unicast().onBackpressureBuffer();
            Disposable subscription = scene.bean().flux(sink.asFlux()).subscribe();
            await().atMost(AMPLE).until(() -> scene.lock().isLocked());
            assertThat(scene.bean().flux(Flux.just(1)).collectList().block(AMPLE))
                    .isEmpty();
            subscription.dispose();
            await().atMost(AMPLE).until(() -> !scene.lock().isLocked());
            assertThat(scene.bean().flux(Flux.just(1, 2)).collectList().block(AMPLE))
                    .isEqualTo(List.of(1, 2));
        });
    }

    @Test
    void mono_whoseLeaseIsLost_isCancelledAndFails() {
        withAsync(scene -> {
            CompletableFuture<Boolean> entered = new CompletableFuture<>();
            CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
            Mono<Long> body = Mono.<Long>never()
                    .doOnSubscribe(subscription -> entered.complete(true))
                    .doOnCancel(() -> cancelled.complete(true));
            CompletableFuture<Long> result = scene.bean().mono(null, body).toFuture();
            entered.join();
            scene.administration().forceUnlock("async");
            assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
            assertThat(cancelled.join()).isTrue();
        });
    }

    // ---- locks that stay for a time

    static class Quick {
        @Locked(value = "job", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP, atLeast = "1h")
        public Optional<String> job() {
            return Optional.of("ran");
        }

        @Locked(value = "job", atLeast = "1h")
        public void failing() {
            throw new IllegalStateException("of the body");
        }

        @Locked("job")
        public void outer(Runnable inner) {
            inner.run();
        }

        @Locked(value = "job", atLeast = "1ns")
        public void longEnough() {}

        @Locked(
                value = {"job", "other"},
                atLeast = "1h")
        public void several() {}

        @Locked(value = "job", atLeast = "1h")
        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(value = "job", atLeast = "1h")
        public Mono<String> mono() {
            return Mono.just("ran");
        }

        @Locked(value = "permits", kind = Locked.Kind.PERMITS, atLeast = "1h")
        public void permit() {}
    }

    private void withQuick(Consumer<QuickScene> scene) {
        application.withBean(Quick.class).run(context -> {
            Interlock client = context.getBean(Interlock.class);
            scene.accept(new QuickScene(context.getBean(Quick.class), client.lock("job"), client));
        });
    }

    private record QuickScene(Quick bean, DistributedLock lock, Interlock client) {

        void assertLeft() {
            assertThat(lock.inspect().holders())
                    .singleElement()
                    .matches(holder -> holder.isLeft())
                    .matches(holder -> holder.remainingLease().compareTo(Duration.ofMinutes(50)) > 0);
            assertThat(lock.holdCount()).isZero();
            client.administration().forceUnlock(lock.name());
        }
    }

    @Test
    void methodThatIsQuickerThanAtLeast_leavesTheLockToLapse() {
        withQuick(scene -> {
            assertThat(scene.bean().job()).hasValue("ran");
            assertThat(scene.bean().job()).isEmpty();
            scene.assertLeft();
            assertThat(scene.bean().job()).hasValue("ran");
            scene.assertLeft();
            assertThatThrownBy(scene.bean()::failing).hasMessage("of the body");
            scene.assertLeft();
            scene.bean().several();
            scene.assertLeft();
            assertThat(scene.client().lock("other").isLocked()).isTrue();
        });
    }

    @Test
    void asyncMethodThatIsQuickerThanAtLeast_leavesTheLockToLapse() {
        withQuick(scene -> {
            assertThat(scene.bean().stage().toCompletableFuture().join()).isEqualTo("ran");
            scene.assertLeft();
            assertThat(scene.bean().mono().block(AMPLE)).isEqualTo("ran");
            scene.assertLeft();
            scene.bean().permit();
            assertThat(scene.client().semaphore("permits", 1).tryAcquire()).isEmpty();
        });
    }

    @Test
    void methodThatTookAtLeastThatLong_releases() {
        withQuick(scene -> {
            scene.bean().longEnough();
            assertThat(scene.lock().isLocked()).isFalse();
        });
    }

    /** The lock is still held by the thread when the inner method has ended. */
    @Test
    void atLeastOfAnInnerMethod_doesNotCount() {
        withQuick(scene -> {
            scene.bean().outer(() -> assertThat(scene.bean().job()).hasValue("ran"));
            assertThat(scene.lock().isLocked()).isFalse();
        });
    }

    // ---- what is refused at start

    static class ReadAtLeast {
        @Locked(value = "a", kind = Locked.Kind.READ, atLeast = "1s")
        public void read() {}
    }

    static class NegativeAtLeast {
        @Locked(value = "a", atLeast = "-1s")
        public void earlier() {}
    }

    static class PrivateMethod {
        @Locked("a")
        @SuppressWarnings("unused")
        private void hidden() {}
    }

    static class FinalMethod {
        @Locked("a")
        public final void unchangeable() {}
    }

    static class UnknownParameter {
        @Locked("order:#{#oder.id}")
        public void misspelt(Order order) {}
    }

    static class BrokenExpression {
        @Locked("order:#{#order.}")
        public void broken(Order order) {}
    }

    static class NoFallback {
        @Locked(value = "a", onBusy = Locked.OnBusy.FALLBACK, fallback = "missing")
        public void alone() {}
    }

    static class NoDuration {
        @Locked(value = "a", waitAtMost = "soon")
        public void late() {}
    }

    @Test
    void mistakes_areFoundAtStart() {
        assertRefused(PrivateMethod.class, "hidden", "private");
        assertRefused(FinalMethod.class, "unchangeable", "final");
        assertRefused(UnknownParameter.class, "#oder", "order");
        assertRefused(BrokenExpression.class, "broken", "parsed");
        assertRefused(NoFallback.class, "missing", "same parameters");
        assertRefused(NoDuration.class, "soon", "5s");
        assertRefused(ReadAtLeast.class, "atLeast", "READ");
        assertRefused(NegativeAtLeast.class, "-1s", "365 days");
    }

    private void assertRefused(Class<?> bean, String... mentioned) {
        application.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContainingAll(mentioned);
        });
    }
}
