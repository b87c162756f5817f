package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.contract.cancel.CancellationWalk;
import dev.interlock.testkit.contract.cancel.Scene;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The walk of cancellation over methods with {@link Locked}, in one application, whose client is that of the scene. */
abstract class LockedCancellation extends CancellationWalk {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private @Nullable Scene scene;

    static class Jobs {
        @Locked("#{#scene.name()}")
        public CompletionStage<@Nullable String> stage(Scene scene) {
            scene.body();
            return new CompletableFuture<>();
        }

        @Locked("#{#scene.name()}")
        @Locked("inner")
        public CompletionStage<@Nullable String> twoLocks(Scene scene) {
            scene.body();
            return new CompletableFuture<>();
        }

        @Locked({"#{#scene.name()}", "another"})
        public CompletionStage<@Nullable String> severalNames(Scene scene) {
            scene.body();
            return new CompletableFuture<>();
        }

        @Locked("#{#scene.name()}")
        public Mono<String> mono(Scene scene) {
            scene.body();
            return Mono.never();
        }

        @Locked("#{#scene.name()}")
        public Flux<String> flux(Scene scene) {
            scene.body();
            return Flux.never();
        }

        @Locked("#{#scene.name()}")
        @Locked("inner")
        public Flux<String> twoLocksFlux(Scene scene) {
            scene.body();
            return Flux.never();
        }
    }

    @BeforeEach
    void open() {
        context.registerBean(
                Interlock.class,
                () -> {
                    Scene current = scene;
                    if (current == null) {
                        throw new IllegalStateException("no scene");
                    }
                    return current.client();
                },
                definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE));
        context.register(InterlockAutoConfiguration.class, Jobs.class);
        context.refresh();
    }

    @AfterEach
    void noMethodIsLeft() {
        try {
            assertThat(context.getBean(RunningMethods.class).running()).isEmpty();
        } finally {
            context.close();
        }
    }

    Jobs jobs(Scene current) {
        scene = current;
        return context.getBean(Jobs.class);
    }

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }
}
