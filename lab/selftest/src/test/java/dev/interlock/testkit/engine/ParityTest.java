package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every blocking acquisition has an asynchronous twin, and the two do the same. */
class ParityTest extends EngineSuite {

    /** What comes of an attempt that is granted. */
    private static final String GRANTED = "a lease";

    private static List<Method> blocking() {
        return Arrays.stream(DistributedLock.class.getMethods())
                .filter(m -> m.getName().equals("acquire") || m.getName().equals("tryAcquire"))
                .toList();
    }

    private static Method twin(Method blocking) throws NoSuchMethodException {
        return DistributedLock.class.getMethod(blocking.getName() + "Async", blocking.getParameterTypes());
    }

    @Test
    void parity_everyAcquisition_hasATwin_andNoTwinIsAlone() throws Exception {
        List<Method> blocking = blocking();
        assertThat(blocking).hasSizeGreaterThanOrEqualTo(5);
        for (Method method : blocking) {
            assertThat(twin(method).getGenericReturnType().getTypeName())
                    .isEqualTo(CompletionStage.class.getName() + "<"
                            + method.getGenericReturnType().getTypeName() + ">");
        }
        assertThat(Arrays.stream(DistributedLock.class.getMethods())
                        .filter(m -> m.getName().endsWith("cquireAsync")))
                .hasSameSizeAs(blocking);
    }

    @Test
    void parity_free() throws Exception {
        for (Method method : blocking()) {
            assertSame(method, lock(), GRANTED);
        }
    }

    @Test
    void parity_heldByAnother() throws Exception {
        DistributedLock lock = lock();
        lock.lock();
        for (Method method : blocking()) {
            if (method.getName().equals("tryAcquire")) {
                assertSame(method, lock, "empty");
                assertSame(method, elsewhere(lock), "empty");
            }
        }
    }

    @Test
    void parity_clientClosed() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        client.close();
        for (Method method : blocking()) {
            assertSame(method, lock, "IllegalStateException");
        }
    }

    private static void assertSame(Method blocking, DistributedLock lock, String expected) throws Exception {
        for (Method method : List.of(blocking, twin(blocking))) {
            Callable<String> attempt = () -> outcome(method, lock);
            String outcome = expected.equals(GRANTED) ? granted(lock, attempt) : LockFixture.answer(attempt);
            assertThat(outcome).as("%s", method).isEqualTo(expected);
        }
    }

    private static String granted(DistributedLock lock, Callable<String> attempt) throws Exception {
        Callable<Optional<String>> granted = () ->
                Optional.of(attempt.call()).filter(outcome -> !outcome.equals("empty") && !outcome.equals("false"));
        return LockFixture.answerOf(lock, granted).orElse("refused");
    }

    private static String outcome(Method method, DistributedLock lock) throws Exception {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> type == Duration.class ? (Object) BRIEF : LeaseTerm.fixed(Duration.ofSeconds(30)))
                .toArray();
        try {
            Object result = method.invoke(lock, arguments);
            if (result instanceof CompletionStage<?> stage) {
                result = stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
            }
            return describe(result instanceof Optional<?> optional ? optional.orElse(null) : result);
        } catch (InvocationTargetException | ExecutionException | CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof StoreUnavailableException late) {
                throw late;
            }
            return cause == null ? e.toString() : cause.getClass().getSimpleName();
        }
    }

    private static String describe(@Nullable Object result) {
        if (result instanceof Lease lease) {
            lease.close();
            return GRANTED;
        }
        return result == null ? "empty" : result.toString();
    }
}
