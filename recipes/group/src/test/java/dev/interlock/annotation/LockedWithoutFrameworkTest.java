package dev.interlock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.CallerTransaction;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.NameText;
import dev.interlock.testkit.fixture.OtherJars;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What {@code @Locked} means, behind a proxy of the JDK: no framework is needed for it. */
class LockedWithoutFrameworkTest {

    private final Interlock interlock = Interlock.inMemory();
    private final PlainProxies proxies = new PlainProxies(interlock, new MonoTypes());
    private final Orders orders = proxies.proxy(Orders.class, new Annotated());

    @AfterEach
    void nothingIsLeft() {
        assertThat(interlock.administration().list("", 10)).isEmpty();
        assertThat(proxies.running.running()).isEmpty();
        interlock.close();
    }

    /** Each method runs a body under the lock of an order. */
    interface Orders {

        void run(String order, Runnable body, @Nullable Lease lease);

        List<String> skip(String order);

        String instead(String order);

        CompletableFuture<String> stage(String order, Supplier<CompletableFuture<String>> body);

        Mono<String> publisher(String order, Supplier<Mono<String>> body);

        void named(Object value);
    }

    static class Annotated implements Orders {

        @Nullable
        Lease lease;

        @Override
        @Locked(value = "order:{0}", waitAtMost = "0s")
        public void run(String order, Runnable body, @Nullable Lease lease) {
            this.lease = lease;
            body.run();
        }

        @Override
        @Locked(value = "order:{0}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public List<String> skip(String order) {
            return List.of("ran");
        }

        @Override
        @Locked(value = "order:{0}", waitAtMost = "0s", onBusy = Locked.OnBusy.FALLBACK, fallback = "late")
        public String instead(String order) {
            return "ran";
        }

        String late(String order) {
            return "instead of " + order;
        }

        @Override
        @Locked(value = "order:{0}", waitAtMost = "0s")
        public CompletableFuture<String> stage(String order, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Override
        @Locked(value = "order:{0}", waitAtMost = "0s")
        public Mono<String> publisher(String order, Supplier<Mono<String>> body) {
            return body.get();
        }

        @Override
        @Locked("order:{0}")
        public void named(Object value) {}
    }

    private boolean isLocked(String order) {
        return interlock.lock("order:" + order).isLocked();
    }

    @Test
    void free_runsUnderTheLock_withItsLease() {
        Annotated target = new Annotated();
        proxies.proxy(Orders.class, target)
                .run("7", () -> assertThat(isLocked("7")).isTrue(), null);
        assertThat(target.lease).isNotNull();
        assertThat(isLocked("7")).isFalse();
        assertThat(orders.skip("7")).containsExactly("ran");
        assertThat(orders.instead("7")).isEqualTo("ran");
    }

    @Test
    void reentered_runs() {
        orders.run("7", () -> orders.run("7", () -> assertThat(isLocked("7")).isTrue(), null), null);
    }

    @Test
    void busy_isToldSkippedOrReplaced() throws InterruptedException {
        try (Lease held = interlock.lock("order:7").acquire()) {
            assertThatThrownBy(() -> orders.run("7", () -> {}, null))
                    .isInstanceOfSatisfying(LockBusyException.class, busy -> assertThat(busy.names())
                            .containsExactly("order:7"));
            assertThat(orders.skip("7")).isEmpty();
            assertThat(proxies.skipped).containsExactly(Annotated.class.getName() + ".skip");
            assertThat(orders.instead("7")).isEqualTo("instead of 7");
            assertThat(held.isValid()).isTrue();
        }
    }

    /** It may be of an argument that anybody has sent. */
    @Test
    void nameThatCouldForgeALineOfTheLog_isEscapedInMessages() throws InterruptedException {
        String forged = "7\nINFO all is well";
        try (Lease held = interlock.lock("order:" + forged).acquire()) {
            assertThatThrownBy(() -> orders.run(forged, () -> {}, null))
                    .isInstanceOf(LockBusyException.class)
                    .hasMessageContaining("order:7\\nINFO all is well")
                    .hasMessageNotContaining("\n");
            assertThat(held.isValid()).isTrue();
        }
        orders.run(
                forged,
                () -> assertThat(proxies.running.running())
                        .singleElement()
                        .asString()
                        .contains("7\\nINFO")
                        .doesNotContain("\n"),
                null);
    }

    @Test
    void bodyThatThrows_isHeard_andLeavesNothing() {
        IllegalStateException thrown = new IllegalStateException("no stock");
        assertThatThrownBy(() -> orders.run("7", () -> sneak(thrown), null)).isSameAs(thrown);
        assertThat(isLocked("7")).isFalse();
    }

    private static void sneak(RuntimeException failure) {
        throw failure;
    }

    @Test
    void stage_holdsUntilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = orders.stage("7", () -> body);
        assertThat(isLocked("7")).isTrue();
        assertThatThrownBy(orders.stage("7", () -> body)::join).hasCauseInstanceOf(LockBusyException.class);
        body.complete("shipped");
        assertThat(result.join()).isEqualTo("shipped");
        assertThat(isLocked("7")).isFalse();
    }

    @Test
    void publisher_holdsUntilItEnds() {
        CompletableFuture<String> body = new CompletableFuture<>();
        Mono<String> mono = orders.publisher("7", () -> Mono.fromFuture(body));
        assertThat(isLocked("7")).isFalse();
        CompletableFuture<String> result = mono.toFuture();
        assertThat(isLocked("7")).isTrue();
        body.complete("shipped");
        assertThat(result.join()).isEqualTo("shipped");
        assertThat(isLocked("7")).isFalse();
    }

    @Test
    void closing_refusesNewCalls_andAwaitsThoseThatRun() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = orders.stage("7", () -> body);
        CompletableFuture<Void> ended = proxies.running.end();
        assertThat(ended).isNotDone();
        assertThat(proxies.running.running()).hasSize(1);
        body.complete("shipped");
        assertThat(result.join()).isEqualTo("shipped");
        assertThat(ended).isCompleted();
        assertThatThrownBy(() -> orders.run("7", () -> {}, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closing");
        proxies.running.begin();
        orders.run("7", () -> {}, null);
    }

    @Test
    void transactionOfTheCaller_keepsTheLock() {
        CallerTransaction transaction = new CallerTransaction();
        proxies.transaction = transaction;
        orders.run("7", () -> {}, null);
        assertThat(orders.stage("8", () -> CompletableFuture.completedFuture("shipped"))
                        .join())
                .isEqualTo("shipped");
        proxies.transaction = null;
        assertThat(isLocked("7")).isTrue();
        assertThat(isLocked("8")).isTrue();
        transaction.ensureValid();
        transaction.complete().join();
        assertThat(isLocked("7")).isFalse();
        assertThat(isLocked("8")).isFalse();
    }

    @Test
    void nameWithoutATextOfItsOwn_isRefused() {
        for (Object value : new Object[] {
            new int[] {7},
            new Object(),
            List.of(new Object()),
            Map.entry("a", new int[] {7}),
            new SimpleEntry<>(new int[] {7}, "a"),
            new AtomicReference<>(new int[] {7}),
            new AtomicReferenceArray<>(new Object[] {"a", new int[] {7}})
        }) {
            assertThatThrownBy(() -> orders.named(value)).isInstanceOf(IllegalArgumentException.class);
        }
        orders.named(List.of(7));
        orders.named(Map.entry("a", 7));
        orders.named(new AtomicReferenceArray<>(new Object[] {"a"}));
    }

    @Test
    void nameOfWhatContainsItself_orIsNestedWithoutEnd_isRefused() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        List<Object> one = new ArrayList<>();
        List<Object> other = new ArrayList<>(List.of(one));
        one.add(other);
        Object deep = "a";
        for (int i = 0; i < 100_000; i++) {
            deep = List.of(deep);
        }
        for (Object value : List.<Object>of(itself, Map.entry("a", one), deep)) {
            assertThatThrownBy(() -> NameText.of(value))
                    .isInstanceOf(NameText.UnfitException.class)
                    .hasMessageContaining("contains itself");
        }
    }

    /** Mistakes of an adapter. */
    @Test
    @SuppressWarnings("NullAway")
    void frameworkThatGivesNull_isNamed() throws NoSuchMethodException {
        for (PlainProxies wrong :
                List.of(new PlainProxies(null, new MonoTypes()), new PlainProxies(interlock, new MonoTypes()) {
                    @Override
                    public LockOptions options(String name) {
                        return null;
                    }
                })) {
            assertThatThrownBy(() -> wrong.proxy(Orders.class, new Annotated()).skip("7"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("Framework.", "must not return null", "Annotated.skip");
        }
        assertThatThrownBy(() -> NameText.of(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NameText.of");
        Call call = new PlainProxies.Reflected(Runnable.class.getMethod("run"), "target", List.of());
        assertThatThrownBy(() -> new LockedCalls(proxies).run(call, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("LockedCalls.run", "operations is empty");
    }

    @Test
    void withoutReactor_otherMethodsAreLocked() throws Throwable {
        try (OtherJars jars = OtherJars.without("reactor-core", "reactive-streams")) {
            jars.call(LockedWithoutReactor.class, "run", "ran");
        }
    }

    // ---- refused at the start

    /** One method each, that cannot be locked. */
    interface Refused {

        class OfFuture implements Supplier<Future<String>> {
            @Override
            @Locked("x")
            public Future<String> get() {
                return new CompletableFuture<>();
            }
        }

        class OfStream implements Supplier<CompletableFuture<Stream<String>>> {
            @Override
            @Locked("x")
            public CompletableFuture<Stream<String>> get() {
                return CompletableFuture.completedFuture(Stream.of());
            }
        }

        class OfArray implements Supplier<CompletableFuture<String>[]> {
            @Override
            @Locked("x")
            @SuppressWarnings("unchecked")
            public CompletableFuture<String>[] get() {
                return (CompletableFuture<String>[]) new CompletableFuture<?>[0];
            }
        }

        class OfArrays implements Supplier<List<Future<?>[][]>> {
            @Override
            @Locked("x")
            public List<Future<?>[][]> get() {
                return List.of();
            }
        }

        /** Of which this framework knows nothing. */
        class OfFlow implements Supplier<Flow.Publisher<String>> {
            @Override
            @Locked("x")
            public Flow.Publisher<String> get() {
                return subscriber -> {};
            }
        }

        class OfNumber implements Runnable {
            @Override
            @Locked(value = "x", waitAtMost = "5")
            public void run() {}
        }

        class OfParameter implements Runnable {
            @Override
            @Locked("x:{0}")
            public void run() {}
        }

        class OfEndlessWait implements Runnable {
            @Override
            @Locked(value = "x", onBusy = Locked.OnBusy.SKIP)
            public void run() {}
        }

        class OfEndlessFallback implements Runnable {
            @Override
            @Locked(value = "x", onBusy = Locked.OnBusy.FALLBACK, fallback = "instead")
            public void run() {}

            void instead() {}
        }

        class OfItself implements Runnable {
            @Override
            @Locked(value = "x", waitAtMost = "0s", onBusy = Locked.OnBusy.FALLBACK, fallback = "run")
            public void run() {}
        }

        class OfPermits implements Runnable {
            @Override
            @Locked(value = "x", permits = 2)
            public void run() {}
        }

        class OfMissingFallback implements Runnable {
            @Override
            @Locked(value = "x", onBusy = Locked.OnBusy.FALLBACK, fallback = "gone")
            public void run() {}
        }
    }

    @Test
    void methodThatCannotBeLocked_isRefusedByName() {
        assertRefused(Supplier.class, new Refused.OfFuture(), "OfFuture.get", "return a CompletableFuture");
        assertRefused(Supplier.class, new Refused.OfStream(), "OfStream.get", "java.util.stream.Stream");
        assertRefused(Supplier.class, new Refused.OfArray(), "OfArray.get", "java.util.concurrent.CompletableFuture");
        assertRefused(Supplier.class, new Refused.OfArrays(), "OfArrays.get", "java.util.concurrent.Future");
        assertRefused(Supplier.class, new Refused.OfFlow(), "OfFlow.get", "return a CompletableFuture");
        assertRefused(Runnable.class, new Refused.OfNumber(), "OfNumber.run", "a number without a unit", "5s");
        assertRefused(Runnable.class, new Refused.OfParameter(), "OfParameter.run", "mentions {0}");
        assertRefused(Runnable.class, new Refused.OfEndlessWait(), "OfEndlessWait.run", "SKIP", "waitAtMost", "\"0s\"");
        assertRefused(Runnable.class, new Refused.OfEndlessFallback(), "FALLBACK", "set waitAtMost, such as \"0s\"");
        assertRefused(Runnable.class, new Refused.OfItself(), "OfItself.run", "name another method");
        assertRefused(Runnable.class, new Refused.OfPermits(), "OfPermits.run", "set kind = PERMITS");
        assertRefused(Runnable.class, new Refused.OfMissingFallback(), "OfMissingFallback.run", "gone");
    }

    private <T> void assertRefused(Class<? super T> type, T target, String... mentioned) {
        assertThatThrownBy(() -> proxies.proxy(type, target))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContainingAll(mentioned);
    }
}
