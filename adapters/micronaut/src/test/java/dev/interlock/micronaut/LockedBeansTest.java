package dev.interlock.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.fixture.Caller;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods with {@code @Locked} of Micronaut's beans. */
class LockedBeansTest {

    private final MemoryStore store = new MemoryStore();
    private final Interlock elsewhere = Interlock.builder(store.session()).build();
    private final ApplicationContext context = Applications.on(store, Map.of());
    private final Orders orders = context.getBean(Orders.class);
    private final Typed typed = context.getBean(Typed.class);

    @AfterEach
    void nothingIsLeft() {
        assertThat(elsewhere.administration().list("", 10)).isEmpty();
        context.close();
        elsewhere.close();
    }

    private boolean isLocked(String order) {
        return elsewhere.lock(order).isLocked();
    }

    @Test
    void free_runsUnderTheLockOfTheArgument() throws Exception {
        assertThat(orders.run("7", () -> isLocked("order:7"))).isTrue();
        assertThat(orders.run("7", () -> isLocked("order:8"))).isFalse();
        assertThat(orders.configured("7", () -> isLocked("order:7"))).isTrue();
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void propertyOfAnArgument_names_andTheLeaseIsPassed() {
        Lease lease = Objects.requireNonNull(orders.leaseOf(new Orders.Order("7"), null));
        assertThat(lease.name()).isEqualTo("order:7");
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void callOfItself_andReentry_areLocked() throws Exception {
        assertThat(orders.bySelf("7", () -> orders.run("7", () -> isLocked("order:7"))))
                .isTrue();
    }

    @Test
    void repeated_takesAll_andOfAnAnnotation_takesItsLock() throws Exception {
        assertThat(orders.both(() -> isLocked("order:7") && isLocked("order:8")))
                .isTrue();
        assertThat(orders.seventh(() -> isLocked("order:7"))).isTrue();
    }

    @Test
    void ofAType_isForPublicMethodsThatHaveNoneOfTheirOwn() throws Exception {
        assertThat(typed.run(() -> isLocked("typed"))).isTrue();
        assertThat(typed.own(() -> isLocked("own") && !isLocked("typed"))).isTrue();
        assertThat(typed.internal(() -> isLocked("typed"))).isFalse();
    }

    @Test
    void busy_isToldSkippedOrReplaced() throws Exception {
        try (Lease held = elsewhere.lock("order:7").acquire()) {
            assertThatThrownBy(() -> orders.leaseOf(new Orders.Order("7"), null))
                    .isInstanceOfSatisfying(LockBusyException.class, busy -> assertThat(busy.names())
                            .containsExactly("order:7"));
            assertThat(orders.skip("7")).isEmpty();
            assertThat(orders.instead("7")).isEqualTo("instead of 7");
            assertThat(held.isValid()).isTrue();
        }
        assertThat(orders.skip("7")).containsExactly("ran");
        assertThat(orders.instead("7")).isEqualTo("ran");
    }

    @Test
    void busy_waitsUntilItIsFree() throws Exception {
        Lease held = elsewhere.lock("order:7").acquire();
        Caller<Boolean> call = Caller.start(() -> orders.run("7", () -> isLocked("order:7")));
        await().until(() ->
                !elsewhere.administration().inspect("order:7").get(0).waiters().isEmpty());
        held.release();
        assertThat(call.result()).isTrue();
    }

    @Test
    void exceptionOfTheBody_isTheCallers() {
        Exception thrown = new Exception("no stock");
        assertThatThrownBy(() -> orders.run("7", () -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    @Test
    void lostLease_interruptsTheMethod() {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Caller<Boolean> call = Caller.start(() -> orders.run("7", () -> {
            runs.countDown();
            never.await();
            return true;
        }));
        await().until(() -> runs.getCount() == 0);
        context.getBean(Interlock.class).administration().forceUnlock("order:7");
        assertThatThrownBy(call::result).hasStackTraceContaining(LockLostException.class.getName());
    }

    @Test
    void stage_holdsUntilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = orders.stage("7", () -> body);
        assertThat(isLocked("order:7")).isTrue();
        assertThatThrownBy(orders.stage("7", () -> body)::join).hasCauseInstanceOf(LockBusyException.class);
        body.complete("shipped");
        assertThat(result.join()).isEqualTo("shipped");
    }

    @Test
    void stageThatIsCancelled_isReleased_andGivesUp() throws Exception {
        CompletableFuture<String> held = orders.stage("7", CompletableFuture::new);
        CompletableFuture<String> waits = orders.waitingStage("7");
        assertThat(waits).isNotDone();
        waits.cancel(false);
        held.cancel(false);
        await().until(() -> !isLocked("order:7"));
        assertThat(orders.waitingStage("7").join()).isEqualTo("ran");
    }

    @Test
    void mono_holdsFromItsSubscriptionToItsEnd_eachTime() {
        Sinks.One<String> body = Sinks.one();
        Mono<String> mono = orders.mono("7", null, body.asMono());
        assertThat(isLocked("order:7")).isFalse();
        CompletableFuture<String> result = mono.toFuture();
        assertThat(isLocked("order:7")).isTrue();
        assertThatThrownBy(mono::block).isInstanceOf(LockBusyException.class);
        assertThat(body.tryEmitValue("shipped")).isEqualTo(Sinks.EmitResult.OK);
        assertThat(result.join()).isEqualTo("shipped true");
        assertThat(mono.block()).isEqualTo("shipped true");
    }

    @Test
    void fluxThatIsCancelled_isReleased() {
        Disposable subscription = orders.flux("7", Flux.never()).subscribe();
        assertThat(isLocked("order:7")).isTrue();
        subscription.dispose();
        await().until(() -> !isLocked("order:7"));
        assertThat(orders.flux("7", Flux.just("a", "b")).collectList().block()).containsExactly("a", "b");
    }
}
