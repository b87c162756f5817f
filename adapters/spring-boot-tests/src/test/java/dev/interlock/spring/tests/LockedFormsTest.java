package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.ColdStore;
import dev.interlock.testkit.store.FarStore;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One table of what an annotated method keeps: each form on each day. A body runs once, or not at all; inside the lock,
 * or not at all; its caller is told what became of it; and nothing is left.
 */
class LockedFormsTest {

    /** To the store, and back, on a day when it is far. */
    private static final Duration EACH_WAY = Duration.ofMillis(150);

    /** The prefixes of the methods of {@link Jobs}, which say what a method returns. */
    private static final List<String> FORMS = List.of("value", "optional", "stage", "future", "mono", "flux");

    /** The days, by their names. */
    private static final Map<String, Day> DAYS = Map.ofEntries(
            Map.entry("free", LockedFormsTest::free),
            Map.entry("throws", LockedFormsTest::fails),
            Map.entry("busy, and waits", LockedFormsTest::waits),
            Map.entry("busy, and skips", LockedFormsTest::skips),
            Map.entry("busy, and refuses", LockedFormsTest::refuses),
            Map.entry("busy, and given up", LockedFormsTest::givesUp),
            Map.entry("nested", LockedFormsTest::nested),
            Map.entry("lost", LockedFormsTest::lost),
            Map.entry("closing", LockedFormsTest::closing),
            Map.entry("closing, and calls what is nested", LockedFormsTest::nestedWhileClosing),
            Map.entry("closed", LockedFormsTest::closed),
            Map.entry("stopped and started", LockedFormsTest::restarted),
            Map.entry("name that is null", LockedFormsTest::withoutAName),
            Map.entry("far", LockedFormsTest::free),
            Map.entry("far, busy, and waits", LockedFormsTest::waits),
            Map.entry("far, busy, and skips", LockedFormsTest::skips),
            Map.entry("cold", LockedFormsTest::cold),
            Map.entry("cold, and given up", LockedFormsTest::coldAndGivenUp),
            Map.entry("two calls", LockedFormsTest::twice));

    private interface Day {
        void pass(Scene scene) throws Exception;
    }

    /** What bodies do, and what they saw. */
    static class Bodies {
        private final Interlock other;
        private final CompletableFuture<String> end = new CompletableFuture<>();
        private final Queue<Boolean> heldAtBegin = new ConcurrentLinkedQueue<>();
        private final Queue<Boolean> heldAtEnd = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Runnable middle;

        Bodies(Interlock other) {
            this.other = other;
        }

        CompletableFuture<String> begin() {
            heldAtBegin.add(other.lock("form").isLocked());
            Runnable more = middle;
            if (more != null) {
                more.run();
            }
            return end.whenComplete(
                    (value, failure) -> heldAtEnd.add(other.lock("form").isLocked()));
        }

        String run() throws InterruptedException {
            try {
                return begin().get(Patience.seconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        NestedExceptionUtils.getMostSpecificCause(e).getMessage());
            } catch (TimeoutException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A method for each form, with each behaviour that a day needs. */
    static class Jobs {
        private final Bodies bodies;

        Jobs(Bodies bodies) {
            this.bodies = bodies;
        }

        @Locked("form")
        public String value() throws InterruptedException {
            return bodies.run();
        }

        @Locked("form")
        public Optional<String> optional() throws InterruptedException {
            return Optional.of(bodies.run());
        }

        @Locked("form")
        public CompletionStage<String> stage() {
            return bodies.begin();
        }

        @Locked("form")
        public CompletableFuture<String> future() {
            return bodies.begin();
        }

        @Locked("form")
        public Mono<String> mono() {
            return Mono.fromFuture(bodies::begin);
        }

        @Locked("form")
        public Flux<String> flux() {
            return Flux.from(Mono.fromFuture(bodies::begin));
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public @Nullable String valueOrSkip() throws InterruptedException {
            return bodies.run();
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Optional<String> optionalOrSkip() throws InterruptedException {
            return Optional.of(bodies.run());
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public CompletionStage<String> stageOrSkip() {
            return bodies.begin();
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public CompletableFuture<String> futureOrSkip() {
            return bodies.begin();
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Mono<String> monoOrSkip() {
            return Mono.fromFuture(bodies::begin);
        }

        @Locked(value = "form", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Flux<String> fluxOrSkip() {
            return Flux.from(Mono.fromFuture(bodies::begin));
        }

        @Locked(value = "form", waitAtMost = "0s")
        public String valueOrRefuse() throws InterruptedException {
            return bodies.run();
        }

        @Locked(value = "form", waitAtMost = "0s")
        public Optional<String> optionalOrRefuse() throws InterruptedException {
            return Optional.of(bodies.run());
        }

        @Locked(value = "form", waitAtMost = "0s")
        public CompletionStage<String> stageOrRefuse() {
            return bodies.begin();
        }

        @Locked(value = "form", waitAtMost = "0s")
        public CompletableFuture<String> futureOrRefuse() {
            return bodies.begin();
        }

        @Locked(value = "form", waitAtMost = "0s")
        public Mono<String> monoOrRefuse() {
            return Mono.fromFuture(bodies::begin);
        }

        @Locked(value = "form", waitAtMost = "0s")
        public Flux<String> fluxOrRefuse() {
            return Flux.from(Mono.fromFuture(bodies::begin));
        }

        @Locked("#{null}")
        public String valueUnnamed() throws InterruptedException {
            return bodies.run();
        }

        @Locked("#{null}")
        public Optional<String> optionalUnnamed() throws InterruptedException {
            return Optional.of(bodies.run());
        }

        @Locked("#{null}")
        public CompletionStage<String> stageUnnamed() {
            return bodies.begin();
        }

        @Locked("#{null}")
        public CompletableFuture<String> futureUnnamed() {
            return bodies.begin();
        }

        @Locked("#{null}")
        public Mono<String> monoUnnamed() {
            return Mono.fromFuture(bodies::begin);
        }

        @Locked("#{null}")
        public Flux<String> fluxUnnamed() {
            return Flux.from(Mono.fromFuture(bodies::begin));
        }
    }

    /** Another annotated method of each form, with a lock of its own. */
    static class Nested {
        @Locked("nested")
        public String value() {
            return "nested";
        }

        @Locked("nested")
        public Optional<String> optional() {
            return Optional.of("nested");
        }

        @Locked("nested")
        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("nested");
        }

        @Locked("nested")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("nested");
        }

        @Locked("nested")
        public Mono<String> mono() {
            return Mono.just("nested");
        }

        @Locked("nested")
        public Flux<String> flux() {
            return Flux.just("nested");
        }
    }

    /** An application, another client of its store, and one form. */
    private static final class Scene implements AutoCloseable {
        private final MemoryStore store = new MemoryStore();
        private final Interlock other = Interlock.builder(store.session()).build();
        private final Bodies bodies = new Bodies(other);
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final ColdStore cold = new ColdStore(store.session());
        private final String form;

        /** The caller of a method that blocks. */
        private volatile @Nullable Thread caller;

        Scene(String form, String day) {
            this.form = form;
            if (day.equals("lost")) {
                // Who works learns of the loss by the next renewal.
                TestPropertyValues.of("interlock.locks.form.lease=1s").applyTo(context);
            }
            if (!day.startsWith("cold")) {
                cold.warmUp();
            }
            LockStore ofTheApplication = day.startsWith("far") ? new FarStore(store.session(), EACH_WAY) : cold;
            context.registerBean(
                    Interlock.class, () -> Interlock.builder(ofTheApplication).build());
            context.registerBean(Jobs.class, () -> new Jobs(bodies));
            context.register(InterlockAutoConfiguration.class, Nested.class);
            context.refresh();
        }

        CompletableFuture<@Nullable Object> call(String behaviour) {
            return call(context.getBean(Jobs.class), form + behaviour);
        }

        /** Calls a method; what blocks is called on a thread of its own. */
        CompletableFuture<@Nullable Object> call(Object bean, String method) {
            Class<?> type = context.getType(beanName(bean));
            Class<?> returned = method(type, method).getReturnType();
            if (returned != String.class && returned != Optional.class) {
                try {
                    return asFuture(invoke(bean, type, method));
                } catch (RuntimeException e) {
                    return CompletableFuture.failedFuture(e);
                }
            }
            CompletableFuture<@Nullable Object> outcome = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    outcome.complete(content(invoke(bean, type, method)));
                } catch (Throwable e) {
                    outcome.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            caller = thread;
            thread.start();
            return outcome;
        }

        private String beanName(Object bean) {
            return context.getBeanNamesForType(bean instanceof Jobs ? Jobs.class : Nested.class)[0];
        }

        private static java.lang.reflect.Method method(@Nullable Class<?> type, String name) {
            java.lang.reflect.Method method =
                    type == null ? null : ReflectionUtils.findMethod(type, name, new Class<?>[0]);
            if (method == null) {
                throw new AssertionError("no method " + name);
            }
            return method;
        }

        private static @Nullable Object invoke(Object bean, @Nullable Class<?> type, String name) {
            try {
                return method(type, name).invoke(bean);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw new CompletionException(e.getCause());
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }

        private static @Nullable Object content(@Nullable Object result) {
            return result instanceof Optional<?> optional ? optional.orElse(null) : result;
        }

        private static CompletableFuture<@Nullable Object> asFuture(@Nullable Object result) {
            if (result instanceof Mono<?> mono) {
                return mono.<@Nullable Object>map(value -> value).toFuture();
            } else if (result instanceof Flux<?> flux) {
                return flux.<@Nullable Object>map(value -> value)
                        .reduce((first, second) -> second)
                        .toFuture();
            } else if (result instanceof CompletionStage<?> stage) {
                // Itself, and not a dependent of it: to cancel it must reach the call.
                @SuppressWarnings("unchecked")
                CompletableFuture<@Nullable Object> future =
                        (CompletableFuture<@Nullable Object>) stage.toCompletableFuture();
                return future;
            }
            throw new AssertionError("neither stage nor publisher: " + result);
        }

        boolean blocks() {
            return form.equals("value") || form.equals("optional");
        }

        /** As a caller does who wants the result no more. */
        void giveUp(CompletableFuture<?> call) {
            Thread thread = caller;
            if (thread != null) {
                thread.interrupt();
            } else {
                call.cancel(true);
            }
        }

        void awaitBegun() {
            await().until(() -> !bodies.heldAtBegin.isEmpty());
        }

        void awaitWaiting() {
            await().until(() -> !other.lock("form").inspect().waiters().isEmpty());
        }

        void end() {
            bodies.end.complete("done");
        }

        void assertRan(int times) {
            await().until(() -> bodies.heldAtEnd.size() == times);
            assertThat(bodies.heldAtBegin)
                    .as("held at the begin of a body")
                    .hasSize(times)
                    .containsOnly(true);
            assertThat(bodies.heldAtEnd)
                    .as("held at the end of a body")
                    .hasSize(times)
                    .containsOnly(true);
        }

        void assertDidNotRun() {
            assertThat(bodies.heldAtBegin).as("bodies").isEmpty();
        }

        void assertNothingLeft() {
            await().until(() -> other.administration().list("", 10).isEmpty());
            assertThat(other.lock("form").inspect().waiters()).isEmpty();
            if (context.isActive()) {
                await().until(() ->
                        context.getBean(RunningMethods.class).running().isEmpty());
            }
        }

        @Override
        public void close() {
            context.close();
            other.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> eachForm_onEachDay() {
        return FORMS.stream().flatMap(form -> DAYS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(day -> DynamicTest.dynamicTest(form + ", " + day.getKey(), () -> {
                    try (Scene scene = new Scene(form, day.getKey())) {
                        day.getValue().pass(scene);
                        scene.assertNothingLeft();
                    }
                })));
    }

    private static @Nullable Object outcome(CompletableFuture<@Nullable Object> call) throws Exception {
        return call.get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<@Nullable Object> call) {
        try {
            Object result = outcome(call);
            throw new AssertionError("no failure, but " + result);
        } catch (ExecutionException e) {
            return NestedExceptionUtils.getMostSpecificCause(e);
        } catch (Exception e) {
            return e;
        }
    }

    private static void free(Scene scene) throws Exception {
        CompletableFuture<@Nullable Object> call = scene.call("");
        scene.awaitBegun();
        assertThat(call).isNotDone();
        assertThat(scene.other.lock("form").isLocked()).isTrue();
        scene.end();
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRan(1);
    }

    /** An answer that is late is none: the lock was free, so nothing is skipped. */
    private static void cold(Scene scene) throws Exception {
        CompletableFuture<@Nullable Object> call = scene.call("OrSkip");
        await().until(scene.cold::isAsked);
        assertThat(call).isNotDone();
        scene.assertDidNotRun();
        scene.cold.warmUp();
        scene.end();
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRan(1);
    }

    private static void coldAndGivenUp(Scene scene) {
        CompletableFuture<@Nullable Object> call = scene.call("");
        await().until(scene.cold::isAsked);
        scene.giveUp(call);
        await().until(call::isDone);
        assertThat(call).isCompletedExceptionally();
        scene.cold.warmUp();
        scene.assertNothingLeft();
        scene.assertDidNotRun();
    }

    private static void fails(Scene scene) {
        CompletableFuture<@Nullable Object> call = scene.call("");
        scene.bodies.end.completeExceptionally(new IllegalStateException("out of paper"));
        assertThat(failure(call)).isInstanceOf(IllegalStateException.class).hasMessage("out of paper");
        scene.assertRan(1);
    }

    private static void waits(Scene scene) throws Exception {
        scene.end();
        CompletableFuture<@Nullable Object> call;
        try (Lease held = scene.other.lock("form").acquire()) {
            call = scene.call("");
            scene.awaitWaiting();
            scene.assertDidNotRun();
            assertThat(held.isValid()).isTrue();
        }
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRan(1);
    }

    private static void skips(Scene scene) throws Exception {
        try (Lease held = scene.other.lock("form").acquire()) {
            assertThat(outcome(scene.call("OrSkip"))).isNull();
            scene.assertDidNotRun();
            assertThat(held.isValid()).isTrue();
        }
    }

    private static void refuses(Scene scene) throws Exception {
        try (Lease held = scene.other.lock("form").acquire()) {
            assertThat(failure(scene.call("OrRefuse"))).isInstanceOf(LockBusyException.class);
            scene.assertDidNotRun();
            assertThat(held.isValid()).isTrue();
        }
    }

    private static void givesUp(Scene scene) throws Exception {
        try (Lease held = scene.other.lock("form").acquire()) {
            CompletableFuture<@Nullable Object> call = scene.call("");
            scene.awaitWaiting();
            scene.giveUp(call);
            await().until(call::isDone);
            assertThat(call).isCompletedExceptionally();
            await().until(() -> scene.other.lock("form").inspect().waiters().isEmpty());
            assertThat(held.isValid()).isTrue();
        }
        scene.assertNothingLeft();
        scene.assertDidNotRun();
    }

    private static void nested(Scene scene) throws Exception {
        CompletableFuture<@Nullable Object> inner = new CompletableFuture<>();
        scene.bodies.middle = () -> callNested(scene, inner);
        CompletableFuture<@Nullable Object> call = scene.call("");
        assertThat(outcome(inner)).isEqualTo("nested");
        scene.end();
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRan(1);
    }

    private static void callNested(Scene scene, CompletableFuture<@Nullable Object> inner) {
        Nested nested = scene.context.getBean(Nested.class);
        try {
            if (scene.blocks()) {
                inner.complete(
                        scene.form.equals("value")
                                ? nested.value()
                                : nested.optional().orElseThrow());
            } else {
                var unused = scene.call(nested, scene.form).whenComplete((value, failure) -> {
                    if (failure == null) {
                        inner.complete(value);
                    } else {
                        inner.completeExceptionally(failure);
                    }
                });
            }
        } catch (RuntimeException e) {
            inner.completeExceptionally(e);
        }
    }

    private static void lost(Scene scene) {
        CompletableFuture<@Nullable Object> call = scene.call("");
        scene.awaitBegun();
        scene.other.administration().forceUnlock("form");
        if (scene.blocks()) {
            // The body is interrupted.
            assertThat(failure(call)).isInstanceOf(LockLostException.class);
        } else {
            // Nobody runs whom an interrupt could reach: the caller learns of it with the result, or before.
            scene.end();
            assertThat(failure(call)).isInstanceOf(LockLostException.class);
        }
        assertThat(scene.bodies.heldAtBegin).containsExactly(true);
    }

    private static CompletableFuture<Void> beginToClose(Scene scene) {
        RunningMethods running = scene.context.getBean(RunningMethods.class);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(scene.context::close);
        await().until(running::isClosing);
        return closing;
    }

    private static void closing(Scene scene) throws Exception {
        CompletableFuture<@Nullable Object> call = scene.call("");
        scene.awaitBegun();
        CompletableFuture<Void> closing = beginToClose(scene);
        assertThat(closing).isNotDone();
        assertThat(scene.other.lock("form").isLocked()).isTrue();
        scene.end();
        assertThat(outcome(call)).isEqualTo("done");
        closing.get(Patience.seconds(), TimeUnit.SECONDS);
        scene.assertRan(1);
    }

    private static void nestedWhileClosing(Scene scene) throws Exception {
        CompletableFuture<@Nullable Object> inner = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        scene.bodies.middle = () -> {
            if (scene.blocks()) {
                goOn.join();
                callNested(scene, inner);
            } else {
                var unused = goOn.thenRun(() -> callNested(scene, inner));
            }
        };
        CompletableFuture<@Nullable Object> call = scene.call("");
        scene.awaitBegun();
        CompletableFuture<Void> closing = beginToClose(scene);
        goOn.complete(null);
        assertThat(outcome(inner)).isEqualTo("nested");
        scene.end();
        assertThat(outcome(call)).isEqualTo("done");
        closing.get(Patience.seconds(), TimeUnit.SECONDS);
        scene.assertRan(1);
    }

    private static void closed(Scene scene) {
        Jobs jobs = scene.context.getBean(Jobs.class);
        Class<?> type = jobs.getClass();
        scene.context.close();
        assertThatThrownBy(() -> {
                    Object result = Scene.invoke(jobs, type, scene.form);
                    if (!scene.blocks()) {
                        outcome(Scene.asFuture(result));
                    }
                })
                .satisfies(failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                        .isInstanceOf(IllegalStateException.class));
        scene.assertDidNotRun();
    }

    private static void restarted(Scene scene) throws Exception {
        scene.context.stop();
        scene.context.start();
        scene.end();
        assertThat(outcome(scene.call(""))).isEqualTo("done");
        scene.assertRan(1);
    }

    private static void withoutAName(Scene scene) {
        assertThat(failure(scene.call("Unnamed"))).isInstanceOf(IllegalArgumentException.class);
        scene.assertDidNotRun();
    }

    private static void twice(Scene scene) throws Exception {
        scene.end();
        CompletableFuture<@Nullable Object> first = scene.call("");
        CompletableFuture<@Nullable Object> second = scene.call("");
        assertThat(outcome(first)).isEqualTo("done");
        assertThat(outcome(second)).isEqualTo("done");
        scene.assertRan(2);
    }
}
