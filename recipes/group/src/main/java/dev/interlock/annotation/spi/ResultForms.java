package dev.interlock.annotation.spi;

import java.lang.annotation.Annotation;
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

/**
 * The forms of methods: when their work is over, which results leave work behind of which nobody knows the end, and
 * what the caller gets if the method does not run. Decided by the result's type, and by what the framework can do: what
 * it cannot is refused, since a method would return before its work. Immutable.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public final class ResultForms {

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
        LATER.put("jakarta.ws.rs.core.StreamingOutput", "lock the method that writes, instead");
        LATER.put("kotlinx.coroutines.Job", "make it a suspending function");
        LATER.put("kotlinx.coroutines.channels.ReceiveChannel", "return a Flow");
        // Unless the framework has publishers of these types.
        for (String type : List.of(
                "kotlinx.coroutines.flow.Flow",
                "org.reactivestreams.Publisher",
                "java.util.concurrent.Flow$Publisher",
                "io.reactivex.rxjava3.core.SingleSource",
                "io.reactivex.rxjava3.core.MaybeSource",
                "io.reactivex.rxjava3.core.CompletableSource",
                "io.reactivex.rxjava3.core.ObservableSource",
                "io.smallrye.mutiny.Uni")) {
            LATER.put(type, RETURN_A_STAGE);
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

    private final ResultTypes types;
    private final Map<String, String> later = new LinkedHashMap<>(LATER);

    /** What to do about results of a class whose work is done later; empty if theirs is over. */
    private final ClassValue<Optional<String>> remedies = new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
            return Optional.ofNullable(remedy(type));
        }
    };

    /** Forms of methods of a framework that knows these types. */
    public ResultForms(ResultTypes types) {
        this.types = types;
        later.putAll(types.later());
    }

    /** The form of a method of this class that was not refused. */
    public ResultForm of(Method method, Class<?> owner) {
        if (isSuspending(method)) {
            return ResultForm.PUBLISHER;
        }
        Class<?> type = type(method, owner);
        if (CompletionStage.class.isAssignableFrom(type)) {
            return ResultForm.STAGE;
        }
        return types.publisher(type) == null ? ResultForm.RETURNED : ResultForm.PUBLISHER;
    }

    /** The type of the result, also if it is a variable of a class that the method's class extends. */
    public Class<?> type(Method method, Class<?> owner) {
        Class<?> type = GenericType.ofResult(method, owner).raw();
        return type == null ? method.getReturnType() : type;
    }

    /** The type of a method's value, when its work is over: that of its stage, its publisher or its function. */
    Class<?> valueType(Method method, Class<?> owner) {
        if (isSuspending(method)) {
            return GenericType.ofLastParameter(method, owner).rawArgument();
        }
        GenericType result = GenericType.ofResult(method, owner);
        if (of(method, owner) != ResultForm.RETURNED) {
            return result.rawArgument();
        }
        Class<?> type = result.raw();
        return type == null ? Object.class : type;
    }

    /** How results of this class are handled that are publishers; null if they are none. */
    @Nullable
    PublisherType publisher(Class<?> type) {
        return types.publisher(type);
    }

    /** How the publisher of a method is handled; null if the framework makes one of a suspending function. */
    @Nullable
    PublisherType publisher(Method method, Class<?> owner) {
        return isSuspending(method) ? null : types.publisher(type(method, owner));
    }

    /** Whether a function of Kotlin may suspend: then its last parameter takes its value. */
    private static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length == 0
                || !parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation")) {
            return false;
        }
        for (Annotation annotation : method.getDeclaringClass().getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
                return true;
            }
        }
        return false;
    }

    /** Why the end of a method's work cannot be known, and what to do; null if it can. */
    public @Nullable String problem(Method method, Class<?> owner) {
        if (isSuspending(method)) {
            String problem = types.suspendingProblem();
            return problem == null ? nested(GenericType.ofLastParameter(method, owner), new HashSet<>()) : problem;
        }
        GenericType result = GenericType.ofResult(method, owner);
        Class<?> type = type(method, owner);
        PublisherType publisher = types.publisher(type);
        if (CompletionStage.class.isAssignableFrom(type)) {
            return type.isAssignableFrom(CompletableFuture.class)
                    ? nested(result, new HashSet<>())
                    : later(type, "return a CompletableFuture or a CompletionStage");
        }
        if (publisher != null) {
            Class<?> made = publisher.type();
            return type.isAssignableFrom(made)
                    ? nested(result, new HashSet<>())
                    : later(type, "return a " + made.getSimpleName());
        }
        String remedy = LATER_EXACTLY.getOrDefault(type.getName(), remedy(type));
        return remedy == null ? nested(result, new HashSet<>()) : later(type, remedy);
    }

    private static String later(Class<?> type, String remedy) {
        return "is on a method that returns a " + type.getName()
                + ", whose work may go on after the method, without the lock: " + remedy;
    }

    /** A stage of a stream is complete before anybody reads it. */
    private @Nullable String nested(GenericType whole, Set<Type> variables) {
        if (whole.raw() == Class.class) {
            return null;
        }
        for (GenericType part : whole.arguments()) {
            Class<?> type = part.raw();
            // A variable may be within its own bound, as in T extends Comparable<T>.
            if (type == null || (part.type() instanceof TypeVariable<?> && !variables.add(part.type()))) {
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
    private @Nullable String remedy(Class<?> type) {
        if (CompletionStage.class.isAssignableFrom(type) || types.publisher(type) != null) {
            return "make that the result of the method";
        }
        for (Map.Entry<String, String> known : later.entrySet()) {
            if (isA(type, known.getKey())) {
                return known.getValue();
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
        return Stream.of(type.getInterfaces()).anyMatch(parent -> isA(parent, name));
    }

    /**
     * Looks at the result of a method whose type did not tell, such as {@code Object}.
     *
     * @param where the method, for people
     * @throws IllegalStateException if its work is not over: it is cancelled, where that is possible
     */
    public void requireOver(@Nullable Object result, String where) {
        if (result == null || (result instanceof Future<?> future && future.isDone())) {
            return;
        }
        Class<?> type = result.getClass();
        Optional<String> remedy = remedies.get(type);
        if (remedy.isPresent()) {
            if (result instanceof Future<?> future) {
                future.cancel(true);
            }
            throw new IllegalStateException("The work of a method would go on without the lock: " + where
                    + " has returned a " + type.getName() + ", which its result type does not say: " + remedy.get());
        }
    }

    // ---- methods that do not run

    /**
     * What the caller of a method that does not run gets: nothing of the kind that the method returns, and null where
     * there is no such thing.
     *
     * @param type of the result
     * @throws IllegalArgumentException if there is no empty collection of this type
     */
    public @Nullable Object skipped(Class<?> type) {
        Object ofTheFramework = types.empty(type);
        return ofTheFramework == null ? SkippedResult.of(type) : ofTheFramework;
    }

    /** Why a method with a result of this type cannot be skipped; null if it can. */
    public @Nullable String skippedProblem(Class<?> type) {
        try {
            skipped(type);
            return null;
        } catch (IllegalArgumentException e) {
            return "may be skipped, but there is no empty " + type.getName()
                    + " to return: declare a List, a Set or a Map, or another interface of the JDK";
        }
    }
}
