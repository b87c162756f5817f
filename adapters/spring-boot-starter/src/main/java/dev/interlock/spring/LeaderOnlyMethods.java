package dev.interlock.spring;

import dev.interlock.annotation.LockedMethodException;
import dev.interlock.annotation.spi.ResultForm;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodClassKey;
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
        Method specific = ProxyableMethods.telling(method, ClassUtils.getUserClass(type));
        // Kotlin's compiler copies annotations to static methods that it generates.
        LeaderOnly annotation =
                specific.isSynthetic() ? null : AnnotatedElementUtils.findMergedAnnotation(specific, LeaderOnly.class);
        if (annotation == null) {
            return NONE;
        }
        Class<?> owner = ClassUtils.getUserClass(type);
        require(specific, ProxyableMethods.problem(specific, owner, placeholders));
        requireSynchronous(specific, owner);
        require(specific, SpringResultTypes.FORMS.skippedProblem(SpringResultTypes.FORMS.type(specific, owner)));
        String name = placeholders.resolveStringValue(annotation.value());
        if (name == null || name.isEmpty()) {
            throw refusal(specific, "names no election: give it a name");
        }
        elections.add(name);
        return name;
    }

    /** What a method returns. */
    Class<?> resultType(Method method, Class<?> type) {
        Class<?> owner = ClassUtils.getUserClass(type);
        return SpringResultTypes.FORMS.type(ProxyableMethods.telling(method, owner), owner);
    }

    private static void requireSynchronous(Method method, Class<?> owner) {
        if (SpringResultTypes.FORMS.of(method, owner) != ResultForm.RETURNED) {
            throw refusal(
                    method,
                    "is on an asynchronous method, which would go on after the leadership: make it synchronous, or use"
                            + " @Locked");
        }
        require(method, SpringResultTypes.FORMS.problem(method, owner));
    }

    private static void require(Method method, @Nullable String problem) {
        if (problem != null) {
            throw refusal(method, problem);
        }
    }

    private static LockedMethodException refusal(Method method, String problem) {
        return new LockedMethodException(
                "@LeaderOnly on " + method.getDeclaringClass().getName() + "." + method.getName() + " " + problem);
    }
}
