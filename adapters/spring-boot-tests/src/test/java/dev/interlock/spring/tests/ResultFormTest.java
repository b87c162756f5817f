package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.LeaderOnlyMethods;
import dev.interlock.spring.LockedMethods;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.fixture.OtherJars;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.lang.reflect.Method;
import java.nio.file.DirectoryStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;
import reactor.core.scheduler.Schedulers;

/** Which results a lock, and a leadership, can be held for. The others are refused by name. */
class ResultFormTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory);

    /** A method for each result whose work nobody knows the end of. */
    @Locked("x")
    interface Unending<T> {
        Future<String> plain();

        FutureTask<String> task();

        ScheduledFuture<?> scheduled();

        Stream<String> stream();

        IntStream ints();

        Iterator<String> iterator();

        Iterable<String> iterable();

        Enumeration<String> enumeration();

        DirectoryStream<String> directory();

        Callable<String> callable();

        Runnable runnable();

        Supplier<String> supplier();

        DeferredResult<String> deferred();

        WebAsyncTask<String> task2();

        StreamingResponseBody body();

        ResponseBodyEmitter emitter();

        SseEmitter events();

        ResponseEntity<StreamingResponseBody> entity();

        ResponseEntity<Flux<String>> entityOfFlux();

        List<CompletableFuture<String>> list();

        Map<String, Optional<Future<String>>> map();

        CompletableFuture<Stream<String>> stageOfStream();

        CompletionStage<Mono<String>> stageOfMono();

        Mono<Iterator<String>> monoOfIterator();

        Mono<List<Mono<String>>> monoOfMonos();

        MyFuture own();

        ConnectableFlux<String> connectable();

        ParallelFlux<String> parallel();

        T variable();
    }

    static class MyFuture extends CompletableFuture<String> {}

    /** Its variable is a stream. */
    interface UnendingOfStream extends Unending<Stream<String>> {}

    /** A method for each result whose work is over when it returns, completes or ends. */
    @Locked("x")
    interface Ending<T> {
        void nothing();

        int number();

        @Nullable
        Object unknown();

        T variable();

        List<String> list();

        Map<String, List<? extends Number>> map();

        Optional<String> optional();

        Function<String, String> function();

        Class<Stream<?>> type();

        CompletableFuture<String> future();

        CompletionStage<Optional<List<String>>> stage();

        Mono<String> mono();

        Flux<List<String>> flux();

        Publisher<String> publisher();

        Flow.Publisher<String> flow();

        Single<String> single();

        Flowable<String> flowable();

        ResponseEntity<String> entity();

        <C extends Comparable<C>> C comparable();

        <C extends Comparable<C>> List<C> comparables();

        @SuppressWarnings("rawtypes") // its variable is bound to itself
        Enum constant();

        RunnableValue value();
    }

    /** A value that can be run besides. */
    interface RunnableValue extends Runnable {}

    static Stream<Method> unending() {
        return Arrays.stream(Unending.class.getDeclaredMethods());
    }

    static Stream<Method> ending() {
        return Arrays.stream(Ending.class.getDeclaredMethods());
    }

    @ParameterizedTest
    @MethodSource("unending")
    void resultOfUnknownEnd_isRefusedByName(Method method) {
        LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory());
        assertThatThrownBy(() -> methods.matches(method, UnendingOfStream.class))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContainingAll(method.getName(), "whose work may go on after the method");
    }

    @ParameterizedTest
    @MethodSource("ending")
    void resultOfKnownEnd_isLocked(Method method) {
        assertThat(new LockedMethods(new DefaultListableBeanFactory()).matches(method, Ending.class))
                .isTrue();
    }

    @Test
    void refusal_saysWhatToDo() throws NoSuchMethodException {
        assertRefused("plain", "java.util.concurrent.Future", "return a CompletableFuture");
        assertRefused("stream", "java.util.stream.Stream", "return a List");
        assertRefused("iterable", "java.lang.Iterable", "return a List");
        assertRefused("supplier", "java.util.function.Supplier", "do the work in the method");
        assertRefused("events", "SseEmitter", "lock the method that writes");
        assertRefused("connectable", "ConnectableFlux", "return a Flux");
        assertRefused("entityOfFlux", "reactor.core.publisher.Flux", "the result of the method");
    }

    private static void assertRefused(String method, String... mentioned) throws NoSuchMethodException {
        Method refused = Unending.class.getMethod(method);
        assertThatThrownBy(() -> new LockedMethods(new DefaultListableBeanFactory()).matches(refused, Unending.class))
                .hasMessageContainingAll(mentioned);
    }

    static class Leading {
        @LeaderOnly("x")
        public Stream<String> stream() {
            return Stream.of();
        }

        @LeaderOnly("x")
        public List<Callable<String>> callables() {
            return List.of();
        }

        @LeaderOnly("x")
        public Mono<String> mono() {
            return Mono.empty();
        }

        @LeaderOnly("x")
        public Future<String> future() {
            return new CompletableFuture<>();
        }

        @LeaderOnly("x")
        public List<String> list() {
            return List.of();
        }
    }

    @Test
    void leadersMethods_haveTheSameRule() throws NoSuchMethodException {
        LeaderOnlyMethods methods = new LeaderOnlyMethods(text -> text);
        for (String name : List.of("stream", "callables", "mono", "future")) {
            Method refused = Leading.class.getMethod(name);
            assertThatThrownBy(() -> methods.matches(refused, Leading.class))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining(name);
        }
        assertThat(methods.matches(Leading.class.getMethod("list"), Leading.class))
                .isTrue();
    }

    // ---- what only the result shows

    /** Calls by this type do not tell what the result is. */
    interface Job<T> {
        T run(Supplier<T> body);
    }

    static class Untold implements Job<Object> {
        @Locked("job")
        @Override
        public Object run(Supplier<Object> body) {
            return body.get();
        }
    }

    static class OfStage implements Job<CompletableFuture<String>> {
        @Locked("job")
        @Override
        public CompletableFuture<String> run(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }
    }

    static class OfMono implements Job<Mono<String>> {
        @Locked("job")
        @Override
        public Mono<String> run(Supplier<Mono<String>> body) {
            return body.get();
        }
    }

    @Test
    void resultThatTheTypeHid_isRefusedAfterTheCall_andCancelled() {
        application.withBean(Untold.class).run(context -> {
            Untold bean = context.getBean(Untold.class);
            CompletableFuture<String> stage = new CompletableFuture<>();
            FutureTask<String> task = new FutureTask<>(() -> "ran");
            for (Object result : List.of(stage, task, Mono.just("x"), Stream.of("x"), new SseEmitter())) {
                assertThatThrownBy(() -> bean.run(() -> result))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("Untold.run", result.getClass().getName());
            }
            assertThat(stage).isCancelled();
            assertThat(task).isCancelled();
            for (Object result : List.of("x", CompletableFuture.completedFuture("x"), List.of())) {
                assertThat(bean.run(() -> result)).isSameAs(result);
            }
            assertThat(context.getBean(Interlock.class).administration().list("", 10))
                    .isEmpty();
        });
    }

    @Test
    void resultThatAGenericTypeHides_isHeldFor() {
        application.withBean(OfStage.class).withBean(OfMono.class).run(context -> {
            DistributedLock lock = context.getBean(Interlock.class).lock("job");
            Job<CompletableFuture<String>> stages = context.getBean(OfStage.class);
            CompletableFuture<String> body = new CompletableFuture<>();
            CompletableFuture<String> result = stages.run(() -> body);
            await().atMost(AMPLE).until(lock::isLocked);
            body.complete("x");
            assertThat(result.join()).isEqualTo("x");
            assertThat(lock.isLocked()).isFalse();
            Job<Mono<String>> monos = context.getBean(OfMono.class);
            assertThat(monos.run(() -> Mono.fromCallable(() -> "held " + lock.isLocked()))
                            .block(AMPLE))
                    .isEqualTo("held true");
            assertThat(lock.isLocked()).isFalse();
        });
    }

    // ---- where consumers are

    static class Rows {
        @Locked("rows")
        public Flux<Integer> flux() {
            return Flux.just(1, 2);
        }

        @Locked("rows")
        public Flowable<Integer> flowable() {
            return Flowable.just(1, 2);
        }

        @Locked("rows")
        public Single<Integer> single() {
            return Single.just(1);
        }
    }

    @Test
    void consumerOfAFlux_isInsideOfTheLock_butNotBehindAQueue() {
        application.withBean(Rows.class).run(context -> {
            Rows rows = context.getBean(Rows.class);
            DistributedLock lock = context.getBean(Interlock.class).lock("rows");
            List<Boolean> inside = new CopyOnWriteArrayList<>();
            rows.flux().doOnNext(row -> inside.add(lock.isLocked())).blockLast(AMPLE);
            assertThat(inside).containsExactly(true, true);
            rows.flux()
                    .publishOn(Schedulers.boundedElastic())
                    .doOnNext(row -> await().atMost(AMPLE).until(() -> !lock.isLocked()))
                    .blockLast(AMPLE);
        });
    }

    @Test
    void typesOfRxJava_areHeldFor() {
        application.withBean(Rows.class).run(context -> {
            Rows rows = context.getBean(Rows.class);
            DistributedLock lock = context.getBean(Interlock.class).lock("rows");
            List<Boolean> inside = new CopyOnWriteArrayList<>();
            rows.flowable().doOnNext(row -> inside.add(lock.isLocked())).blockingSubscribe();
            assertThat(inside).containsExactly(true, true);
            assertThat(rows.single().blockingGet()).isEqualTo(1);
            await().atMost(AMPLE).until(() -> !lock.isLocked());
        });
    }

    // ---- artefacts that are missing

    @Test
    void withoutReactor_publishersAreRefused_andTheArtefactIsNamed() throws Throwable {
        try (OtherJars jars = OtherJars.without("reactor-core")) {
            jars.call(WithoutReactor.class, "check", "");
        }
    }

    /** Runs where the class path has no Reactor. */
    public static final class WithoutReactor {

        private WithoutReactor() {}

        static class OfRxJava {
            @Locked("x")
            public Single<String> single() {
                return Single.just("x");
            }
        }

        static class OfTheJdk {
            @Locked("x")
            public Flow.@Nullable Publisher<String> publisher() {
                return null;
            }
        }

        static class OfValues {
            @Locked("x")
            public String run() {
                return "ran";
            }
        }

        /** Looks. */
        public static void check(String unused) {
            ApplicationContextRunner application = new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                    .withBean(Interlock.class, Interlock::inMemory);
            for (Class<?> bean : List.of(OfRxJava.class, OfTheJdk.class)) {
                application.withBean(bean).run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("io.projectreactor:reactor-core"));
            }
            application.withBean(OfValues.class).run(context -> assertThat(
                            context.getBean(OfValues.class).run())
                    .isEqualTo("ran"));
        }
    }
}
