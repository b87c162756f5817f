package dev.interlock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * When the work of a method is over: for how long a lock has to be held, and which results leave work behind of which
 * nobody knows the end. Decided by the result's type, and by what is on the class path: what an artefact is missing for
 * is refused, since without it a method would return before its work.
 */
enum ResultForm {
    /** When it returns. */
    RETURNED,
    /** When the stage completes that it returns. */
    STAGE,
    /** When the publisher ends that it returns, or that Spring makes of a suspending function. */
    PUBLISHER;

    static final String COROUTINES_TYPE = "kotlinx.coroutines.reactor.MonoKt";
    static final String KOTLIN_REFLECT_TYPE = "kotlin.reflect.full.KClasses";

    private static final String REACTOR_CORE = "io.projectreactor:reactor-core";
    private static final String COROUTINES_REACTOR = "org.jetbrains.kotlinx:kotlinx-coroutines-reactor";

    private static final boolean REACTOR = isPresent(LockedInterceptor.REACTOR_TYPE);
    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private static final String RETURN_A_STAGE = "return a CompletableFuture";
    private static final String RETURN_A_LIST = "return a List";
    private static final String CALL_IT = "do the work in the method, and return what it gives";

    /** Types whose work is done after the method, with what to do: by name, since few applications have them all. */
    private static final Map<String, String> LATER = new LinkedHashMap<>();

    static {
        LATER.put("java.util.concurrent.Future", RETURN_A_STAGE);
        for (String type : List.of(
                "java.util.stream.BaseStream",
                "java.util.Iterator",
                "java.util.Spliterator",
                "java.util.Enumeration",
                "java.nio.file.DirectoryStream",
                "kotlin.sequences.Sequence")) {
            LATER.put(type, RETURN_A_LIST);
        }
        String web = "org.springframework.web.";
        LATER.put(web + "context.request.async.DeferredResult", RETURN_A_STAGE);
        LATER.put(web + "context.request.async.WebAsyncTask", RETURN_A_STAGE);
        String takeItThere = "lock the method that writes, instead";
        LATER.put(web + "servlet.mvc.method.annotation.StreamingResponseBody", takeItThere);
        LATER.put(web + "servlet.mvc.method.annotation.ResponseBodyEmitter", takeItThere);
        LATER.put("jakarta.ws.rs.core.StreamingOutput", takeItThere);
        LATER.put("kotlinx.coroutines.Job", "make it a suspending function");
        LATER.put("kotlinx.coroutines.channels.ReceiveChannel", "return a Flow");
        // Of these Spring has adapters, if it finds what they need.
        LATER.put("kotlinx.coroutines.flow.Flow", "add " + COROUTINES_REACTOR);
        for (String type : List.of(
                "org.reactivestreams.Publisher",
                "java.util.concurrent.Flow$Publisher",
                "io.reactivex.rxjava3.core.SingleSource",
                "io.reactivex.rxjava3.core.MaybeSource",
                "io.reactivex.rxjava3.core.CompletableSource",
                "io.reactivex.rxjava3.core.ObservableSource",
                "io.smallrye.mutiny.Uni")) {
            LATER.put(type, "add " + REACTOR_CORE);
        }
    }

    /** The same of exactly these types; one that implements one of them may be a value besides. */
    private static final Map<String, String> LATER_EXACTLY = Map.ofEntries(
            Map.entry("java.lang.Iterable", RETURN_A_LIST),
            Map.entry("java.lang.Runnable", CALL_IT),
            Map.entry("java.util.concurrent.Callable", CALL_IT),
            Map.entry("java.util.function.Supplier", CALL_IT),
            Map.entry("java.util.function.BooleanSupplier", CALL_IT),
            Map.entry("java.util.function.IntSupplier", CALL_IT),
            Map.entry("java.util.function.LongSupplier", CALL_IT),
            Map.entry("java.util.function.DoubleSupplier", CALL_IT),
            Map.entry("kotlin.Lazy", CALL_IT),
            Map.entry("kotlin.jvm.functions.Function0", CALL_IT));

    /** What to do about results of a class whose work is done later; empty if theirs is over. */
    private static final ClassValue<Optional<String>> REMEDIES = new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
            return Optional.ofNullable(remedy(type));
        }
    };

    /** The form of a method of a bean's class that was not refused. */
    static ResultForm of(Method method, Class<?> owner) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return PUBLISHER;
        }
        Class<?> type = type(method, owner);
        if (CompletionStage.class.isAssignableFrom(type)) {
            return STAGE;
        }
        return adapter(type) == null ? RETURNED : PUBLISHER;
    }

    /** The type of the result, also if it is a variable of a class that the bean's class extends. */
    static Class<?> type(Method method, Class<?> owner) {
        return ResolvableType.forMethodReturnType(method, owner).resolve(method.getReturnType());
    }

    /** What a method's value is, when its work is over: that of its stage, its publisher or its function. */
    static ResolvableType value(Method method, Class<?> owner) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return continuation(method, owner).getGeneric(0);
        }
        ResolvableType result = ResolvableType.forMethodReturnType(method, owner);
        return of(method, owner) == RETURNED ? result : result.getGeneric(0);
    }

    /** The last parameter of a suspending function, which takes its value. */
    private static ResolvableType continuation(Method method, Class<?> owner) {
        return ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, owner);
    }

    /** Whether the method returns a publisher that has to have a value. */
    static boolean isNeverEmpty(Method method, Class<?> owner) {
        ReactiveAdapter adapter = KotlinDetector.isSuspendingFunction(method) ? null : adapter(type(method, owner));
        return adapter != null && !adapter.supportsEmpty() && of(method, owner) == PUBLISHER;
    }

    /** Why the end of a method's work cannot be known, and what to do; null if it can. */
    static @Nullable String problem(Method method, Class<?> owner) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            List<String> missing = Stream.of(
                            missing(COROUTINES_TYPE, COROUTINES_REACTOR),
                            missing(LockedInterceptor.REACTOR_TYPE, REACTOR_CORE),
                            missing(KOTLIN_REFLECT_TYPE, "org.jetbrains.kotlin:kotlin-reflect"))
                    .flatMap(Optional::stream)
                    .toList();
            return missing.isEmpty()
                    ? nested(continuation(method, owner), new HashSet<>())
                    : "is on a suspending function, which Spring can call only by " + String.join(" and ", missing)
                            + ": add " + (missing.size() == 1 ? "it" : "them") + " to the class path";
        }
        ResolvableType result = ResolvableType.forMethodReturnType(method, owner);
        Class<?> type = type(method, owner);
        ReactiveAdapter adapter = adapter(type);
        if (CompletionStage.class.isAssignableFrom(type)) {
            return type.isAssignableFrom(CompletableFuture.class)
                    ? nested(result, new HashSet<>())
                    : later(type, "return a CompletableFuture or a CompletionStage");
        }
        if (adapter != null) {
            Class<?> made = adapter.getReactiveType();
            return type.isAssignableFrom(made)
                    ? nested(result, new HashSet<>())
                    : later(type, "return a " + made.getSimpleName());
        }
        String remedy = LATER_EXACTLY.getOrDefault(type.getName(), remedy(type));
        return remedy == null ? nested(result, new HashSet<>()) : later(type, remedy);
    }

    private static Optional<String> missing(String type, String artefact) {
        return isPresent(type) ? Optional.empty() : Optional.of(artefact);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ResultForm.class.getClassLoader());
    }

    /** The adapter of a type; without Reactor nothing can be done with one. */
    private static @Nullable ReactiveAdapter adapter(Class<?> type) {
        return REACTOR && type != void.class ? ADAPTERS.getAdapter(type) : null;
    }

    private static String later(Class<?> type, String remedy) {
        return "is on a method that returns a " + type.getName()
                + ", whose work may go on after the method, without the lock: " + remedy;
    }

    /** A stage of a stream is complete before anybody reads it. */
    private static @Nullable String nested(ResolvableType whole, Set<Type> variables) {
        if (whole.resolve() == Class.class) {
            return null;
        }
        for (ResolvableType part : whole.getGenerics()) {
            Class<?> type = part.resolve();
            // A variable may be within its own bound, as in T extends Comparable<T>.
            if (type == null || (part.getType() instanceof TypeVariable<?> && !variables.add(part.getType()))) {
                continue;
            }
            String remedy = LATER_EXACTLY.getOrDefault(type.getName(), remedy(type));
            String problem = remedy == null ? nested(part, variables) : later(type, remedy);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** What to do about a type whose work is done later; null if its work is over. */
    private static @Nullable String remedy(Class<?> type) {
        if (CompletionStage.class.isAssignableFrom(type) || adapter(type) != null) {
            return "make that the result of the method";
        }
        for (Map.Entry<String, String> later : LATER.entrySet()) {
            if (isA(type, later.getKey())) {
                return later.getValue();
            }
        }
        return null;
    }

    private static boolean isA(@Nullable Class<?> type, String name) {
        if (type == null) {
            return false;
        }
        if (type.getName().equals(name) || isA(type.getSuperclass(), name)) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isA(parent, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Looks at the result of a method whose type did not tell, such as {@code Object}.
     *
     * @throws IllegalStateException if its work is not over: it is cancelled, where that is possible
     */
    static void requireOver(@Nullable Object result, String where) {
        if (result == null || (result instanceof Future<?> future && future.isDone())) {
            return;
        }
        Class<?> type = result.getClass();
        Optional<String> remedy = REMEDIES.get(type);
        if (remedy.isPresent()) {
            if (result instanceof Future<?> future) {
                future.cancel(true);
            }
            throw new IllegalStateException("The work of a method would go on without the lock: " + where
                    + " has returned a " + type.getName() + ", which its result type does not say: " + remedy.get());
        }
    }
}
