package dev.interlock.spring;

import dev.interlock.annotation.Locked;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to know besides what Spring finds out: the types whose presence decides how methods are
 * locked, and the file with the version. {@link LockedAotProcessor} registers the methods with {@link Locked}.
 */
final class LockedRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (String type : List.of(
                LockedInterceptor.TRANSACTIONS_TYPE,
                SpringResultTypes.REACTOR_TYPE,
                SpringResultTypes.COROUTINES_TYPE,
                SpringResultTypes.KOTLIN_REFLECT_TYPE)) {
            hints.reflection().registerTypeIfPresent(classLoader, type, hint -> {});
        }
        hints.resources().registerPattern("dev/interlock/spring/boot/interlock-version.properties");
    }
}
