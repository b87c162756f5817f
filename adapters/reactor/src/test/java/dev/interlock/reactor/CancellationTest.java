package dev.interlock.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.cancel.CancellationWalk;
import dev.interlock.testkit.contract.cancel.Scene;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;

/**
 * The walk of cancellation over publishers: a subscription is given up at each step of the lock, and whenever a value
 * passes an operator.
 */
class CancellationTest extends CancellationWalk {

    private static final Duration LONG = Duration.ofHours(1);
    private static final LeaseTerm FIXED = LeaseTerm.fixed(LONG);

    private Runnable step = () -> {};

    /** Each operator is a step, before and after it gets a value. */
    @BeforeEach
    void stepAtEachOperator() {
        Hooks.onEachOperator(
                "step",
                Operators.lift((scannable, downstream) -> new SteppingSubscriber<>(downstream, () -> step.run())));
    }

    @AfterEach
    void noSteps() {
        Hooks.resetOnEachOperator("step");
    }

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected List<String> ways() {
        return List.of("dispose", "takeUntilOther", "timeout", "firstWithSignal");
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("mono", form((lock, scene) -> ReactiveLocks.mono(lock, lease -> body(scene))));
        forms.put("mono(term)", form((lock, scene) -> ReactiveLocks.mono(lock, FIXED, lease -> body(scene))));
        forms.put("tryMono", form((lock, scene) -> ReactiveLocks.tryMono(lock, LONG, lease -> body(scene))));
        forms.put("flux", form((lock, scene) -> ReactiveLocks.flux(lock, lease -> body(scene))));
        forms.put("flux(term)", form((lock, scene) -> ReactiveLocks.flux(lock, FIXED, lease -> body(scene))));
        forms.put("tryFlux", form((lock, scene) -> ReactiveLocks.tryFlux(lock, LONG, lease -> body(scene))));
        forms.put(
                "permits",
                permits(scene ->
                        ReactiveLocks.permits(scene.client().semaphore(scene.name(), 2), 2, lease -> body(scene))));
        forms.put(
                "tryPermits",
                permits(scene -> ReactiveLocks.tryPermits(
                        scene.client().semaphore(scene.name(), 2), 2, LONG, lease -> body(scene))));
        return forms;
    }

    @Test
    void eachPublisher_isWalked() {
        assertThat(Arrays.stream(ReactiveLocks.class.getMethods())
                        .filter(method -> Publisher.class.isAssignableFrom(method.getReturnType()))
                        .map(method -> method.getName()
                                + (Arrays.asList(method.getParameterTypes()).contains(LeaseTerm.class)
                                        ? "(term)"
                                        : "")))
                .containsExactlyInAnyOrderElementsOf(forms().keySet());
    }

    private static Mono<Object> body(Scene scene) {
        scene.body();
        return Mono.never();
    }

    private Form form(BiFunction<DistributedLock, Scene, Publisher<Object>> publisher) {
        return (scene, way) -> begin(scene, way, publisher.apply(scene.client().lock(scene.name()), scene));
    }

    private Form permits(Function<Scene, Publisher<Object>> publisher) {
        return new Form() {
            @Override
            public Runnable begin(Scene scene, String way) {
                return CancellationTest.this.begin(scene, way, publisher.apply(scene));
            }

            @Override
            public Runnable hold(Interlock client, String name) throws Exception {
                return client.semaphore(name, 2).acquire(2)::close;
            }
        };
    }

    private Runnable begin(Scene scene, String way, Publisher<Object> publisher) {
        step = scene::step;
        Sinks.One<Integer> end = Sinks.one();
        Flux<Object> given = Flux.from(publisher);
        Flux<Object> ended =
                switch (way) {
                    case "takeUntilOther" -> given.takeUntilOther(end.asMono());
                    case "timeout" ->
                        given.timeout(end.asMono()).onErrorResume(TimeoutException.class, late -> Mono.empty());
                    case "firstWithSignal" -> Flux.firstWithSignal(end.asMono(), given);
                    default -> given;
                };
        BaseSubscriber<Object> subscriber = new BaseSubscriber<>() {};
        scene.begun(() -> {
            if (way.equals("dispose")) {
                subscriber.dispose();
            } else {
                end.tryEmitValue(2);
            }
        });
        ended.subscribe(subscriber);
        return () -> {};
    }
}
