package dev.interlock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/** Finds the methods with {@link LeaderOnly}, and checks them as each bean is defined. Thread-safe. */
public final class LeaderOnlyMethods extends StaticMethodMatcherPointcut implements MergedBeanDefinitionPostProcessor {

    private static final String NONE = "";

    private final StringValueResolver placeholders;
    private final Map<MethodClassKey, String> found = new ConcurrentHashMap<>();
    private final Set<String> elections = ConcurrentHashMap.newKeySet();

    /**
     * Finds nothing yet.
     *
     * @param placeholders replaces <code>${…}</code> in names
     */
    public LeaderOnlyMethods(StringValueResolver placeholders) {
        this.placeholders = placeholders;
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class));
    }

    /** The elections of the methods that were found so far. */
    public Collection<String> elections() {
        return elections;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return election(method, type) != null;
    }

    /** Refuses to let the application start with a method that would run on every instance. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        Class<?> userType = ClassUtils.getUserClass(type);
        if (AnnotationUtils.isCandidateClass(userType, LeaderOnly.class)) {
            ReflectionUtils.doWithMethods(userType, method -> election(method, userType));
        }
    }

    /** The election of a method; null if it has none. */
    @Nullable
    String election(Method method, Class<?> type) {
        String name = found.computeIfAbsent(new MethodClassKey(method, type), key -> find(method, type));
        return name.equals(NONE) ? null : name;
    }

    private String find(Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type));
        // Kotlin's compiler copies annotations to static methods that it generates.
        LeaderOnly annotation =
                specific.isSynthetic() ? null : AnnotatedElementUtils.findMergedAnnotation(specific, LeaderOnly.class);
        if (annotation == null) {
            return NONE;
        }
        requireProxyable(specific);
        requireSynchronous(specific);
        String name = placeholders.resolveStringValue(annotation.value());
        if (name == null || name.isEmpty()) {
            throw refusal(specific, "names no election: give it a name");
        }
        elections.add(name);
        return name;
    }

    private static void requireProxyable(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw refusal(
                    method,
                    "is on a method that is private, static or final, which no proxy can intercept: make it an"
                            + " instance method that is neither private nor final");
        }
    }

    private static void requireSynchronous(Method method) {
        Class<?> result = method.getReturnType();
        if (CompletionStage.class.isAssignableFrom(result)
                || Future.class.isAssignableFrom(result)
                || KotlinDetector.isSuspendingFunction(method)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null) {
            throw refusal(
                    method,
                    "is on an asynchronous method, which would go on after the leadership: make it synchronous, or use"
                            + " @Locked");
        }
    }

    private static LockedMethodException refusal(Method method, String problem) {
        return new LockedMethodException(
                "@LeaderOnly on " + method.getDeclaringClass().getName() + "." + method.getName() + " " + problem);
    }
}
