package dev.interlock.spring.tests;

import dev.interlock.testkit.contract.cancel.Scene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;

/** Publishers of methods with {@code @Locked}, cancelled at all steps, and whenever a value passes an operator. */
class PublisherCancellationTest extends LockedCancellation {

    private Runnable step = () -> {};

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
    protected List<String> ways() {
        return List.of("dispose");
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("mono", form(Jobs::mono));
        forms.put("flux", form(Jobs::flux));
        forms.put("two locks", form(Jobs::twoLocksFlux));
        return forms;
    }

    private Form form(BiFunction<Jobs, Scene, Publisher<String>> method) {
        return (scene, way) -> {
            step = scene::step;
            BaseSubscriber<String> subscriber = new BaseSubscriber<>() {};
            scene.begun(subscriber::dispose);
            Flux.from(method.apply(jobs(scene), scene)).subscribe(subscriber);
            return () -> {};
        };
    }
}
