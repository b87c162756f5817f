package dev.interlock.spring.tests;

import dev.interlock.testkit.contract.cancel.FutureWays;
import dev.interlock.testkit.contract.cancel.Scene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Stages of methods with {@code @Locked}, given up in all ways at all steps. */
class StageCancellationTest extends LockedCancellation {

    @Override
    protected List<String> ways() {
        return FutureWays.ALL;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("stage", form(Jobs::stage));
        forms.put("two locks", form(Jobs::twoLocks));
        forms.put("several names", form(Jobs::severalNames));
        return forms;
    }

    private Form form(BiFunction<Jobs, Scene, CompletionStage<@Nullable String>> method) {
        return (scene, way) -> {
            var future = method.apply(jobs(scene), scene).toCompletableFuture();
            scene.begun(() -> FutureWays.giveUp(future, way, null));
            return () -> {};
        };
    }
}
