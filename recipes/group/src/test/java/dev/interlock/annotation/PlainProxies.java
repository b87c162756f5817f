package dev.interlock.annotation;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.CallerTransaction;
import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.Framework;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.LockedOperation;
import dev.interlock.annotation.spi.NameTemplate;
import dev.interlock.annotation.spi.NameText;
import dev.interlock.annotation.spi.ResultForms;
import dev.interlock.annotation.spi.ResultTypes;
import dev.interlock.annotation.spi.RunningMethods;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The smallest framework: proxies of the JDK, in whose names of locks {@code {0}} is the first argument. */
class PlainProxies implements Framework, Expressions {

    private final LockedCalls calls = new LockedCalls(this);
    private final Interlock client;
    private final ResultForms forms;

    final RunningMethods running = new RunningMethods();

    /** The methods of which runs were skipped. */
    final List<String> skipped = new CopyOnWriteArrayList<>();

    /** That of each caller. */
    volatile @Nullable CallerTransaction transaction;

    PlainProxies(Interlock client, ResultTypes types) {
        this.client = client;
        this.forms = new ResultForms(types);
    }

    /** The target behind a proxy that locks its annotated methods. */
    <T> T proxy(Class<T> type, T target) {
        Map<Method, List<LockedOperation>> operations = new HashMap<>();
        for (Method method : type.getMethods()) {
            operations.put(method, operations(method, target.getClass()));
        }
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            Call call = new Reflected(method, target, args == null ? List.of() : Arrays.asList(args));
            List<LockedOperation> found = Objects.requireNonNull(operations.get(method));
            return found.isEmpty() ? call.proceed(call.arguments()) : calls.run(call, found);
        }));
    }

    private List<LockedOperation> operations(Method method, Class<?> type) {
        try {
            Method own = type.getMethod(method.getName(), method.getParameterTypes());
            return Stream.of(own.getAnnotationsByType(Locked.class))
                    .map(annotation -> new LockedOperation(annotation, own, type, this, forms))
                    .toList();
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    record Reflected(Method method, Object target, List<@Nullable Object> passed) implements Call {

        @Override
        public @Nullable Object[] arguments() {
            return passed.toArray();
        }

        @Override
        public @Nullable Object proceed(@Nullable Object[] arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
            }
        }
    }

    // ---- the framework

    @Override
    public Interlock client(String name) {
        return client;
    }

    @Override
    public LockOptions options(String name) {
        return LockOptions.defaults();
    }

    @Override
    public RunningMethods running() {
        return running;
    }

    @Override
    public void skipped(String method) {
        skipped.add(method);
    }

    @Override
    public @Nullable CallerTransaction transaction() {
        return transaction;
    }

    // ---- its language

    @Override
    public String resolve(String text) {
        return text;
    }

    @Override
    public NameTemplate name(String text, Method method) {
        if (text.contains("{0}") && method.getParameterCount() == 0) {
            throw new IllegalArgumentException("mentions {0} in its name, but the method has no parameter");
        }
        return call -> text.contains("{0}")
                ? text.replace("{0}", NameText.of(Objects.requireNonNull(call.arguments()[0])))
                : text;
    }
}
