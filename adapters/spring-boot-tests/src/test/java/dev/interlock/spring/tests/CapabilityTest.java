package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.store.LackingStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** What a store cannot keep is refused before the method runs, in each form of method. */
class CapabilityTest {

    static class Jobs {

        private final AtomicInteger ran = new AtomicInteger();

        public int count() {
            return ran.get();
        }

        private CompletionStage<@Nullable String> run() {
            ran.incrementAndGet();
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(value = "job", atLeast = "1h")
        public void atLeast() {
            run();
        }

        @Locked(
                value = {"job", "other"},
                atLeast = "1h")
        public void atLeastOfSeveral() {
            run();
        }

        @Locked(value = "job", kind = Locked.Kind.PERMITS, atLeast = "1h")
        public void atLeastPermits() {
            run();
        }

        @Locked(value = "job", atLeast = "1h")
        public CompletionStage<@Nullable String> atLeastStage() {
            return run();
        }

        @Locked(value = "job", atLeast = "1h")
        public Mono<String> atLeastMono() {
            return Mono.fromCompletionStage(run());
        }

        @Locked(value = "job", kind = Locked.Kind.FAIR)
        public void fair() {
            run();
        }

        @Locked(value = "job", kind = Locked.Kind.FAIR)
        public CompletionStage<@Nullable String> fairStage() {
            return run();
        }

        @Locked(value = "job", kind = Locked.Kind.FAIR)
        public Mono<String> fairMono() {
            return Mono.fromCompletionStage(run());
        }

        @Locked(value = "job", kind = Locked.Kind.READ)
        public void read() {
            run();
        }

        @Locked(value = "job", kind = Locked.Kind.WRITE)
        public CompletionStage<@Nullable String> writeStage() {
            return run();
        }

        @Locked(value = "job", kind = Locked.Kind.WRITE)
        public Mono<String> writeMono() {
            return Mono.fromCompletionStage(run());
        }

        @Locked(value = "job", kind = Locked.Kind.PERMITS)
        public void permits() {
            run();
        }

        @Locked(value = "job", kind = Locked.Kind.PERMITS)
        public CompletionStage<@Nullable String> permitsStage() {
            return run();
        }

        @Locked(value = "job", kind = Locked.Kind.PERMITS)
        public Mono<String> permitsMono() {
            return Mono.fromCompletionStage(run());
        }
    }

    private static List<Consumer<Jobs>> callsThatNeed(Capability capability) {
        return switch (capability) {
            case LAPSE ->
                List.of(
                        Jobs::atLeast,
                        Jobs::atLeastOfSeveral,
                        Jobs::atLeastPermits,
                        jobs -> jobs.atLeastStage().toCompletableFuture().join(),
                        jobs -> jobs.atLeastMono().block());
            case FAIR_LOCK ->
                List.of(
                        Jobs::fair,
                        jobs -> jobs.fairStage().toCompletableFuture().join(),
                        jobs -> jobs.fairMono().block());
            case READ_WRITE_LOCK ->
                List.of(
                        Jobs::read,
                        jobs -> jobs.writeStage().toCompletableFuture().join(),
                        jobs -> jobs.writeMono().block());
            default ->
                List.of(
                        Jobs::permits,
                        jobs -> jobs.permitsStage().toCompletableFuture().join(),
                        jobs -> jobs.permitsMono().block());
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"LAPSE", "FAIR_LOCK", "READ_WRITE_LOCK", "SEMAPHORE"})
    void whatTheStoreLacks_isRefusedBeforeTheMethodRuns(Capability lacking) {
        LockStore store = new LackingStore(new MemoryStore(), lacking);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withBean(Interlock.class, () -> Interlock.builder(store).build())
                .withBean(Jobs.class)
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    for (Consumer<Jobs> call : callsThatNeed(lacking)) {
                        Throwable thrown = catchThrowable(() -> call.accept(jobs));
                        assertThat(LockStore.causeOf(thrown)).isInstanceOf(UnsupportedOperationException.class);
                    }
                    assertThat(jobs.count()).isZero();
                    assertThat(context.getBean(Interlock.class).administration().list("", 10))
                            .isEmpty();
                    Consumer<Jobs> other = callsThatNeed(
                                    lacking == Capability.LAPSE ? Capability.SEMAPHORE : Capability.LAPSE)
                            .get(0);
                    other.accept(jobs);
                    assertThat(jobs.count()).isEqualTo(1);
                });
    }
}
