package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.LeaseTerm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.cancel.CancellationWalk;
import dev.interlock.testkit.contract.cancel.FutureWays;
import dev.interlock.testkit.contract.cancel.Scene;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The walk of cancellation over groups of locks, of which another caller may hold one. */
class CancellationTest extends CancellationWalk {

    private static final Duration LONG = Duration.ofHours(1);

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected List<String> ways() {
        return FutureWays.ALL;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("acquireAsync", form(DistributedLock::acquireAsync));
        forms.put("acquireAsync(term)", extending(form(lock -> lock.acquireAsync(LeaseTerm.fixed(LONG)))));
        forms.put("tryAcquireAsync", form(DistributedLock::tryAcquireAsync));
        forms.put("tryAcquireAsync(term)", extending(form(lock -> lock.tryAcquireAsync(LeaseTerm.fixed(LONG)))));
        forms.put("tryAcquireAsync(wait)", form(lock -> lock.tryAcquireAsync(LONG)));
        forms.put(
                "tryAcquireAsync(wait, term)",
                extending(form(lock -> lock.tryAcquireAsync(LONG, LeaseTerm.fixed(LONG)))));
        return forms;
    }

    @Test
    void eachFormThatPromisesALease_isWalked() {
        assertThat(Arrays.stream(DistributedLock.class.getMethods())
                        .filter(method ->
                                method.getGenericReturnType().getTypeName().contains("dev.interlock.Lease")
                                        && method.getReturnType() == CompletionStage.class)
                        .map(CancellationTest::row))
                .containsExactlyInAnyOrderElementsOf(forms().keySet());
    }

    private static String row(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(type -> type == LeaseTerm.class ? "term" : "wait")
                .collect(Collectors.joining(", "));
        return method.getName() + (parameters.isEmpty() ? "" : "(" + parameters + ")");
    }

    private static Form form(Function<DistributedLock, CompletionStage<? extends @Nullable Object>> call) {
        return (scene, way) -> {
            CompletableFuture<? extends @Nullable Object> future =
                    call.apply(group(scene)).toCompletableFuture();
            scene.begun(() -> FutureWays.giveUp(future, way, null));
            return () -> FutureWays.closeLease(future);
        };
    }

    /** After a wait, fixed terms begin anew, on threads of the group. */
    private static Form extending(Form form) {
        return new Form() {
            @Override
            public Runnable begin(Scene scene, String way) throws Exception {
                return form.begin(scene, way);
            }

            @Override
            public boolean isCompletedElsewhere() {
                return true;
            }
        };
    }

    private static DistributedLock group(Scene scene) {
        return MultiLock.of(
                scene.client().lock("before"),
                scene.client().lock(scene.name()),
                scene.client().lock("later"));
    }
}
