package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.LogWatch;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.asm.ClassReader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.MethodMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReader;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Closing an application: no new locked method, those that run come to their end, then the locks are released. */
class ShutdownTest {

    private static final Set<String> DESTROYERS = Set.of("close", "shutdown");
    private static final Pattern EXPORTED =
            Pattern.compile("dev\\.interlock\\.(?!engine\\.)(spring\\..*|(\\w+\\.)?[A-Z].*)");

    static class Slow {
        @Locked("slow")
        public boolean hold(CountDownLatch entered, CountDownLatch end, Interlock interlock)
                throws InterruptedException {
            entered.countDown();
            end.await();
            return interlock.lock("slow").isHeldByCurrentThread();
        }
    }

    @Test
    void close_waitsForTheMethodsThatRun() throws Exception {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Slow.class);
        context.refresh();
        Slow slow = context.getBean(Slow.class);
        Interlock interlock = context.getBean(Interlock.class);
        RunningMethods running = context.getBean(RunningMethods.class);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> {
            try {
                return slow.hold(entered, end, interlock);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        entered.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        await().atMost(Duration.ofMinutes(5)).until(running::isClosing);
        assertThat(closing).isNotDone();
        assertThatThrownBy(() -> slow.hold(new CountDownLatch(1), new CountDownLatch(0), interlock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closing");
        end.countDown();
        assertThat(call.join())
                .as("the lock was still held at the end of the body")
                .isTrue();
        closing.join();
        assertThatThrownBy(() -> interlock.lock("slow").lock()).isInstanceOf(IllegalStateException.class);
    }

    static class Endless {
        @Locked("plain\n#{#id}")
        public void plain(String id, CountDownLatch entered) throws InterruptedException {
            entered.countDown();
            new CountDownLatch(1).await();
        }

        @Locked("stage")
        public CompletionStage<String> stage() {
            return new CompletableFuture<>();
        }

        @Locked("mono:#{#id}")
        public Mono<String> mono(@Nullable String id) {
            return Mono.never();
        }

        @Locked("flux:#{#id}")
        public Flux<String> flux(@Nullable String id) {
            return Flux.never();
        }
    }

    /** The phase's time is over: closing goes on, gives away no lock of what still runs, and says what that is. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void close_goesOnAfterThePhase_andNamesWhatStillRuns(CapturedOutput output) throws Exception {
        MemoryStore store = new MemoryStore();
        var context = new AnnotationConfigApplicationContext();
        shortPhases(context);
        context.registerBean(Interlock.class, () -> Interlock.builder(store.session())
                .closeTimeout(Duration.ofMillis(100))
                .build());
        context.register(InterlockAutoConfiguration.class, Endless.class);
        context.refresh();
        Endless endless = context.getBean(Endless.class);
        RunningMethods running = context.getBean(RunningMethods.class);
        CountDownLatch entered = new CountDownLatch(1);
        Thread plain = new Thread(() -> {
            try {
                endless.plain("1", entered);
            } catch (InterruptedException | RuntimeException e) {
                // Its lease is gone.
            }
        });
        plain.setDaemon(true);
        plain.start();
        entered.await();
        var unused = endless.stage();
        endless.mono("2").subscribe();
        endless.flux("3").subscribe();
        await().until(() -> running.running().size() == 4);

        try (LogWatch log = new LogWatch()) {
            CompletableFuture.runAsync(context::close).get(Patience.seconds(), TimeUnit.SECONDS);
            assertThat(log.problems()).as("that of the client").hasSize(1);
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("Methods with @Locked still run")))
                .singleElement()
                .asString()
                .contains("Endless.plain [plain\\n1]", "Endless.stage [stage]")
                .contains("Endless.mono [mono:2]", "Endless.flux [flux:3]");
        try (Interlock next = Interlock.builder(store.session()).build()) {
            assertThat(next.administration().list("", 10)).hasSize(4);
            plain.interrupt();
            plain.join();
            assertThat(next.administration().list("", 10)).hasSize(3);
        }
    }

    static class Besides {
        @Locked("outer")
        public void work(Interlock interlock, CountDownLatch entered, CountDownLatch end) throws InterruptedException {
            interlock.lock("inner").lock();
            try {
                entered.countDown();
                end.await();
            } finally {
                interlock.lock("inner").unlock();
            }
        }
    }

    /** The body relies on the locks that it has taken inside, as that of {@code run()} does. */
    @Test
    void close_keepsWhatTheThreadOfAMethodHoldsBesides() throws Exception {
        MemoryStore store = new MemoryStore();
        var context = new AnnotationConfigApplicationContext();
        shortPhases(context);
        context.registerBean(Interlock.class, () -> Interlock.builder(store.session())
                .closeTimeout(Duration.ofMillis(100))
                .build());
        context.register(InterlockAutoConfiguration.class, Besides.class);
        context.refresh();
        Besides besides = context.getBean(Besides.class);
        Interlock interlock = context.getBean(Interlock.class);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> {
            try {
                besides.work(interlock, entered, end);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        entered.await();

        context.close();

        try (Interlock next = Interlock.builder(store.session()).build()) {
            assertThat(next.administration().list("", 10))
                    .extracting(LockStatus::name)
                    .containsExactly("inner", "outer");
            end.countDown();
            call.join();
            assertThat(next.administration().list("", 10)).isEmpty();
        }
    }

    static class Nested {
        @Locked("outer")
        public CompletionStage<String> outer(CompletionStage<String> work) {
            return work;
        }

        @Locked("outer")
        public Mono<String> outerMono(Mono<String> work) {
            return work;
        }

        @Locked("inner")
        public CompletionStage<String> inner() {
            return CompletableFuture.completedStage("inner");
        }

        @Locked("inner")
        public Mono<String> innerMono() {
            return Mono.just("inner");
        }

        @Locked("inner")
        public String innerPlain() {
            return "inner";
        }
    }

    /** What runs may call what belongs to it, on any thread, as a synchronous method may; nothing else begins. */
    @Test
    void asyncMethodThatRuns_callsOthersWhileTheApplicationCloses() {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Nested.class);
        context.refresh();
        Nested nested = context.getBean(Nested.class);
        RunningMethods running = context.getBean(RunningMethods.class);
        CompletableFuture<String> go = new CompletableFuture<>();
        Sinks.One<String> goMono = Sinks.one();
        var stage = nested.outer(go.thenComposeAsync(value -> nested.inner())
                        .thenCombine(CompletableFuture.supplyAsync(go::join), (inner, value) -> inner + value)
                        .thenApplyAsync(value -> value + nested.innerPlain()))
                .toCompletableFuture();
        await().until(() -> context.getBean(Interlock.class).lock("outer").isLocked());
        CompletableFuture<Void> ended = running.end();
        go.complete("+");
        assertThat(stage.join()).isEqualTo("inner+inner");
        ended.join();
        assertThatThrownBy(nested::innerPlain).hasMessageContaining("closing");

        running.begin();
        var mono = nested.outerMono(goMono.asMono().flatMap(value -> nested.innerMono()))
                .toFuture();
        await().until(() -> context.getBean(Interlock.class).lock("outer").isLocked());
        ended = running.end();
        goMono.tryEmitValue("+");
        assertThat(mono.join()).isEqualTo("inner");
        ended.join();
        assertThatThrownBy(nested::inner).hasMessageContaining("closing");
        context.close();
    }

    /** What began after the end belongs to what runs: it keeps nothing else alive. */
    @Test
    void methodThatIsNested_letsNothingElseBegin() {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Nested.class);
        context.refresh();
        Nested nested = context.getBean(Nested.class);
        RunningMethods running = context.getBean(RunningMethods.class);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        var early = nested.outer(first).toCompletableFuture();
        var ended = running.end();
        var late = nested.outer(second).toCompletableFuture();
        first.complete("first");
        assertThat(early.join()).isEqualTo("first");
        assertThatThrownBy(nested::inner).hasMessageContaining("closing");
        assertThat(ended).isNotDone();
        second.complete("second");
        assertThat(late.join()).isEqualTo("second");
        ended.join();
        context.close();
    }

    /** A call that cannot begin is not one that runs. */
    @Test
    void close_doesNotWaitForACallWhoseNameIsNull() {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Endless.class);
        context.refresh();
        Endless endless = context.getBean(Endless.class);
        assertThatThrownBy(() -> endless.mono(null).block()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> endless.flux(null).blockLast()).isInstanceOf(IllegalArgumentException.class);
        assertThat(context.getBean(RunningMethods.class).running()).isEmpty();
        context.close();
    }

    /**
     * Spring calls a method {@code close} or {@code shutdown} of any bean that has one, also of one that an application
     * declares, and waits without limit for a future that it returns. Looks at the public types that modules export.
     */
    @Test
    void noTypeOfOurs_hasADestroyMethodThatReturnsSomething() throws Exception {
        var resources = new PathMatchingResourcePatternResolver().getResources("classpath*:dev/interlock/**/*.class");
        var readers = new CachingMetadataReaderFactory();
        List<String> faults = new ArrayList<>();
        int looked = 0;
        for (Resource resource : resources) {
            MetadataReader reader = readers.getMetadataReader(resource);
            if (!EXPORTED.matcher(reader.getClassMetadata().getClassName()).matches() || !isPublic(resource)) {
                continue;
            }
            for (MethodMetadata method : methods(reader)) {
                looked++;
                if (!method.getReturnTypeName().equals("void")) {
                    faults.add(method.getDeclaringClassName() + "." + method.getMethodName());
                }
            }
        }
        assertThat(looked).isPositive();
        assertThat(faults).isEmpty();
    }

    private static boolean isPublic(Resource type) throws IOException {
        try (InputStream in = type.getInputStream()) {
            return Modifier.isPublic(new ClassReader(in).getAccess());
        }
    }

    private static List<MethodMetadata> methods(MetadataReader reader) {
        List<MethodMetadata> found = new ArrayList<>();
        for (MethodMetadata method : reader.getAnnotationMetadata().getDeclaredMethods()) {
            if (DESTROYERS.contains(method.getMethodName())) {
                found.add(method);
            }
        }
        return found;
    }

    private static void shortPhases(AnnotationConfigApplicationContext context) {
        DefaultLifecycleProcessor phases = new DefaultLifecycleProcessor();
        phases.setTimeoutPerShutdownPhase(1);
        phases.setBeanFactory(context.getBeanFactory());
        context.getBeanFactory().registerSingleton(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, phases);
    }
}
