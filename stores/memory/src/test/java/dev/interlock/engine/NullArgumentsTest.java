package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LeaseTerm;
import dev.interlock.LockAdministration;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Null in the place of each argument of a client, its builder, its options and its administration is refused where it
 * is given, by the name of the argument.
 */
class NullArgumentsTest {

    /** Null is a value of this option: no callback. */
    private static final String NULLABLE = "onRevocationRequested";

    @Test
    void aClientAndWhatItIsMadeOf_refuseNull() {
        int refused = 0;
        try (Interlock client = Interlock.inMemory()) {
            for (Method method : methods()) {
                for (int i = 0; i < method.getParameterCount(); i++) {
                    if (!method.getParameterTypes()[i].isPrimitive()) {
                        assertRefused(client, method, i);
                        refused++;
                    }
                }
            }
        }
        assertThat(refused).isGreaterThan(35);
    }

    private static List<Method> methods() {
        return Stream.of(Interlock.class, InterlockBuilder.class, LockOptions.Builder.class, LockAdministration.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !method.getName().equals(NULLABLE))
                .toList();
    }

    private static void assertRefused(Interlock client, Method method, int at) {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(NullArgumentsTest::valid)
                .toArray();
        arguments[at] = null;
        Object of = receiver(client, method.getDeclaringClass());
        Throwable failure = catchThrowable(() -> method.invoke(of, arguments));

        assertThat(failure).as(method + ", " + at).isInstanceOf(InvocationTargetException.class);
        assertThat(failure.getCause())
                .as(method + ", " + at)
                .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
                .message()
                .as(method + ", " + at)
                .satisfies(message -> assertThat(
                                failure.getCause() instanceof IllegalArgumentException || message.matches("[a-z]\\w*"))
                        .as("%s names the argument", message)
                        .isTrue());
    }

    private static Object receiver(Interlock client, Class<?> type) {
        if (type == Interlock.class) {
            return client;
        }
        if (type == InterlockBuilder.class) {
            return Interlock.builder("memory:");
        }
        return type == LockOptions.Builder.class ? LockOptions.builder() : client.administration();
    }

    private static Object valid(Class<?> type) {
        if (type == String.class) {
            return "memory:";
        }
        if (type == int.class) {
            return 1;
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(1);
        }
        if (type == LeaseTerm.class) {
            return LeaseTerm.renewing();
        }
        if (type == LockOptions.class) {
            return LockOptions.defaults();
        }
        if (type == LockStatus.class) {
            return new LockStatus("n", List.of(), List.of());
        }
        if (type == LockStore.class) {
            return new MemoryStore();
        }
        return Proxy.newProxyInstance(
                NullArgumentsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> null);
    }
}
