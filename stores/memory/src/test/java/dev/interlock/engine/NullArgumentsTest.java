package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
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

/** Null in the place of each argument of a client and its builder is refused where it is given. */
class NullArgumentsTest {

    @Test
    void aClientAndItsBuilder_refuseNull() {
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
        assertThat(refused).isGreaterThan(25);
    }

    private static List<Method> methods() {
        return Stream.of(Interlock.class, InterlockBuilder.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .toList();
    }

    private static void assertRefused(Interlock client, Method method, int at) {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(NullArgumentsTest::valid)
                .toArray();
        arguments[at] = null;
        Object of = method.getDeclaringClass() == Interlock.class ? client : Interlock.builder("memory:");
        Throwable failure = catchThrowable(() -> method.invoke(of, arguments));

        assertThat(failure).as(method + ", " + at).isInstanceOf(InvocationTargetException.class);
        assertThat(failure.getCause())
                .as(method + ", " + at)
                .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class);
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
