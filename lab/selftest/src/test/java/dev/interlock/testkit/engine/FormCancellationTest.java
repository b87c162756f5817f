package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
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
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The walk of cancellation over each asynchronous form that waits, of each kind that a client has: those that promise a
 * lease, and those that await. {@link CancellationTest} has further ways to give up.
 */
class FormCancellationTest extends CancellationWalk {

    private static final Duration LONG = Duration.ofHours(1);
    private static final int PERMITS = 2;

    /** The kinds, and how a client gets one. */
    private static final Map<Class<?>, BiFunction<Interlock, String, Object>> KINDS = Map.of(
            DistributedLock.class,
            Interlock::lock,
            DistributedSemaphore.class,
            (client, name) -> client.semaphore(name, PERMITS),
            DistributedLatch.class,
            Interlock::latch);

    private static Stream<Method> waitingForms(Class<?> kind) {
        return Arrays.stream(kind.getMethods()).filter(method -> {
            String result = method.getGenericReturnType().getTypeName();
            return result.startsWith(CompletionStage.class.getName())
                    && (result.contains("dev.interlock.Lease")
                            || method.getName().startsWith("await"));
        });
    }

    @Test
    void eachKindOfAClient_isWalked() {
        assertThat(Arrays.stream(Interlock.class.getMethods())
                        .map(Method::getReturnType)
                        .filter(kind -> waitingForms(kind).findAny().isPresent())
                        .collect(Collectors.toSet()))
                .isEqualTo(KINDS.keySet());
    }

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected List<String> ways() {
        return List.of("cancel");
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        KINDS.forEach((kind, opener) -> waitingForms(kind).forEach(method -> {
            String parameters = Arrays.stream(method.getParameterTypes())
                    .map(Class::getSimpleName)
                    .collect(Collectors.joining(", ", "(", ")"));
            String name = kind.getSimpleName() + "." + method.getName() + parameters;
            forms.put(name, new KindForm(opener, method, PERMITS));
            if (parameters.contains("int")) {
                // As many as are free, and one more.
                forms.put(name + ", some free", new KindForm(opener, method, 1));
                forms.put(name + ", more than known", new UnknownCapacityForm(method));
            }
        }));
        return forms;
    }

    private static Runnable begin(Scene scene, String way, Object kind, Method method) throws Exception {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(FormCancellationTest::argument)
                .toArray();
        CompletableFuture<?> future = ((CompletionStage<?>) method.invoke(kind, arguments)).toCompletableFuture();
        scene.begun(() -> FutureWays.giveUp(future, way, null));
        return () -> FutureWays.closeLease(future);
    }

    private static Object argument(Class<?> type) {
        if (type == int.class) {
            return PERMITS;
        }
        return type == Duration.class ? LONG : LeaseTerm.fixed(LONG);
    }

    /**
     * One of the methods.
     *
     * @param opener gets what has the method
     * @param method the method
     * @param held how many permits another has
     */
    private record KindForm(BiFunction<Interlock, String, Object> opener, Method method, int held) implements Form {

        @Override
        public Runnable begin(Scene scene, String way) throws Exception {
            return FormCancellationTest.begin(scene, way, opener.apply(scene.client(), scene.name()), method);
        }

        @Override
        public Runnable hold(Interlock client, String name) throws Exception {
            Object kind = opener.apply(client, name);
            if (kind instanceof DistributedLatch latch) {
                latch.trySetCount(1);
                return latch::countDown;
            }
            return kind instanceof DistributedSemaphore semaphore
                    ? semaphore.acquire(held)::close
                    : ((DistributedLock) kind).acquire()::close;
        }
    }

    /** More permits than the client knows of: it asks the store first how many there are. */
    private record UnknownCapacityForm(Method method) implements Form {

        private static final int CAPACITY = PERMITS + 1;

        @Override
        public Runnable begin(Scene scene, String way) throws Exception {
            Lease keepsCapacity =
                    scene.other().semaphore(scene.name(), CAPACITY).acquire();
            Runnable taker =
                    FormCancellationTest.begin(scene, way, scene.client().semaphore(scene.name(), PERMITS - 1), method);
            return () -> {
                taker.run();
                keepsCapacity.close();
            };
        }

        @Override
        public Runnable hold(Interlock client, String name) throws Exception {
            return client.semaphore(name, CAPACITY).acquire(PERMITS)::close;
        }
    }
}
