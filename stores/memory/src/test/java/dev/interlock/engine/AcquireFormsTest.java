package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind has the same forms: now, within a wait, on a term, and each of them asynchronously. */
class AcquireFormsTest {

    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(2));

    private final Interlock interlock = Interlock.inMemory();

    @AfterEach
    void close() {
        interlock.close();
    }

    private static List<Method> forms(Class<?> kind) {
        return Arrays.stream(kind.getMethods())
                .filter(method -> method.getName().matches("(acquire|tryAcquire)(Async)?"))
                .toList();
    }

    static Stream<Method> all() {
        return Stream.of(DistributedLock.class, DistributedSemaphore.class).flatMap(kind -> forms(kind).stream());
    }

    private static Set<String> signatures(Stream<Method> methods) {
        return methods.map(method -> method.getName()
                        + Arrays.stream(method.getParameterTypes())
                                .filter(type -> type != int.class)
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean ofPermits(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(int.class);
    }

    private static boolean onATerm(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(LeaseTerm.class);
    }

    @Test
    void eachForm_hasAnAsynchronousOne() {
        Set<String> forms = signatures(forms(DistributedLock.class).stream());
        assertThat(forms).hasSize(12);
        assertThat(forms.stream().filter(form -> form.contains("Async")).map(form -> form.replace("Async", "")))
                .containsExactlyInAnyOrderElementsOf(
                        forms.stream().filter(form -> !form.contains("Async")).toList());
    }

    @Test
    void permits_areAcquiredInTheFormsOfALock() {
        assertThat(signatures(forms(DistributedSemaphore.class).stream().filter(AcquireFormsTest::ofPermits)))
                .isEqualTo(signatures(forms(DistributedLock.class).stream()));
    }

    @Test
    void onePermit_isAcquiredInEachFormWithoutATerm() {
        assertThat(signatures(forms(DistributedSemaphore.class).stream().filter(form -> !ofPermits(form))))
                .isEqualTo(signatures(forms(DistributedLock.class).stream().filter(form -> !onATerm(form))));
    }

    @Test
    void whatALatchDoes_hasAnAsynchronousForm() throws Exception {
        for (String verb : List.of("trySetCount", "countDown", "await")) {
            for (Method method : DistributedLatch.class.getMethods()) {
                if (method.getName().equals(verb)) {
                    assertThat(DistributedLatch.class
                                    .getMethod(verb + "Async", method.getParameterTypes())
                                    .getReturnType())
                            .isEqualTo(CompletionStage.class);
                }
            }
        }
        DistributedLatch latch = interlock.latch("latch");
        assertThat(latch.trySetCountAsync(1).toCompletableFuture().get()).isTrue();
        assertThat(latch.trySetCountAsync(1).toCompletableFuture().get()).isFalse();
        assertThat(latch.trySetCountAsync(0).toCompletableFuture())
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class);
        latch.countDownAsync().toCompletableFuture().get();
        assertThat(latch.count()).isZero();
    }

    /** On the term, for as many permits; nothing is left when it is released. A try that fails says so. */
    @ParameterizedTest
    @MethodSource("all")
    void form_acquiresWhatItSays(Method form) throws Exception {
        boolean lock = form.getDeclaringClass() == DistributedLock.class;
        DistributedSemaphore semaphore = interlock.semaphore("permits", 5);
        Object kind = lock ? interlock.lock("lock") : semaphore;
        Object[] arguments = Arrays.stream(form.getParameterTypes())
                .map(AcquireFormsTest::argument)
                .toArray();
        try (Lease lease = lease(form.invoke(kind, arguments)).orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining().compareTo(Duration.ofMinutes(1)) > 0).isEqualTo(onATerm(form));
            if (!lock) {
                assertThat(semaphore.availablePermits()).isEqualTo(ofPermits(form) ? 2 : 4);
            }
            if (form.getName().startsWith("try") && (lock || ofPermits(form))) {
                replaceWait(arguments);
                assertThat(lease(form.invoke(kind, arguments))).isEmpty();
            }
        }
        assertThat(interlock.administration().list("", 10)).isEmpty();
    }

    private static Object argument(Class<?> type) {
        if (type == int.class) {
            return 3;
        }
        return type == Duration.class ? Duration.ofMinutes(3) : TERM;
    }

    private static void replaceWait(Object[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof Duration) {
                arguments[i] = Duration.ZERO;
            }
        }
    }

    private static Optional<Lease> lease(Object result) throws Exception {
        Object known = result instanceof CompletionStage<?> stage
                ? stage.toCompletableFuture().get()
                : result;
        Object lease = known instanceof Optional<?> optional ? optional.orElse(null) : known;
        return Optional.ofNullable((Lease) lease);
    }

    @Test
    void tryRunAndTryCall_runUnderTheLock() throws Exception {
        DistributedLock lock = interlock.lock("lock");
        assertThat(lock.tryRun(Duration.ZERO, () -> assertThat(lock.isHeldByCurrentThread())
                        .isTrue()))
                .isTrue();
        assertThat(lock.tryCall(Duration.ZERO, lock::holdCount)).contains(1);
        assertThat(lock.holdCount()).isZero();
        try (Lease other = lock.acquire()) {
            assertThat(other.isValid()).isTrue();
            assertThat(lock.tryRun(Duration.ZERO, () -> {
                        throw new AssertionError("run without the lock");
                    }))
                    .isFalse();
            assertThat(lock.tryCall(Duration.ZERO, () -> {
                        throw new AssertionError("called without the lock");
                    }))
                    .isEmpty();
        }
        assertThat(interlock.administration().list("", 10)).isEmpty();
    }
}
