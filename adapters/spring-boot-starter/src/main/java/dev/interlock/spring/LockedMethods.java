package dev.interlock.spring;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.LockedOperation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods with {@link Locked}, checks them as each bean is defined, and keeps what was parsed. Thread-safe:
 * what is found for a method is the same each time, so it does not matter who finds it first.
 */
public final class LockedMethods extends StaticMethodMatcherPointcut implements MergedBeanDefinitionPostProcessor {

    private final ConfigurableBeanFactory beans;
    private final Expressions expressions;
    private final Map<MethodClassKey, List<LockedOperation>> found = new ConcurrentHashMap<>();

    /**
     * Finds nothing yet.
     *
     * @param beans replaces <code>${…}</code> in the texts of annotations, and has the beans that names mention
     */
    public LockedMethods(ConfigurableBeanFactory beans) {
        this.beans = beans;
        this.expressions = new SpelExpressions(beans);
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Locked.class));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return !operations(method, type).isEmpty();
    }

    /** Refuses to let the application start with a method that could not be locked. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        Class<?> userType = ClassUtils.getUserClass(type);
        if (AnnotationUtils.isCandidateClass(userType, Locked.class)) {
            // Also those that no proxy would ask about.
            MethodIntrospector.selectMethods(
                    userType, (Method method) -> operations(method, userType).isEmpty() ? null : true);
            for (Class<?> declaring = userType;
                    declaring != null && declaring != Object.class;
                    declaring = declaring.getSuperclass()) {
                for (Method method : declaring.getDeclaredMethods()) {
                    if (!method.isSynthetic()
                            && (Modifier.isPrivate(method.getModifiers())
                                    || Modifier.isStatic(method.getModifiers()))) {
                        parse(own(method), method, userType);
                    }
                }
            }
        }
    }

    /** The annotations of a method, outermost first; empty if it has none. */
    List<LockedOperation> operations(Method method, Class<?> type) {
        return found.computeIfAbsent(new MethodClassKey(method, type), key -> find(method, type));
    }

    private List<LockedOperation> find(Method method, Class<?> type) {
        Class<?> userType = ClassUtils.getUserClass(type);
        Method specific = ProxyableMethods.telling(method, userType);
        // Kotlin's compiler copies annotations to static methods that it generates.
        if (specific.getDeclaringClass() == Object.class || specific.isSynthetic()) {
            return List.of();
        }
        Set<Locked> annotations = own(specific);
        if (annotations.isEmpty() && !specific.equals(method)) {
            annotations = own(method);
        }
        if (annotations.isEmpty() && isPartOfType(specific, userType)) {
            annotations =
                    AnnotatedElementUtils.findMergedRepeatableAnnotations(userType, Locked.class, Locked.All.class);
            requireNotFinal(annotations, specific, userType);
        }
        return parse(annotations, specific, userType);
    }

    private static Set<Locked> own(Method method) {
        return AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Locked.class, Locked.All.class);
    }

    /** What an annotation of the type is about, also if no proxy can intercept it: then it is refused. */
    private static boolean isPartOfType(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && !method.isSynthetic()
                && ProxyableMethods.isCalledByUsers(method, type);
    }

    private static void requireNotFinal(Set<Locked> annotations, Method method, Class<?> type) {
        if (!annotations.isEmpty() && Modifier.isFinal(method.getModifiers())) {
            throw new LockedMethodException("@Locked on " + type.getName() + " is for each of its public methods, but "
                    + method.getDeclaringClass().getName() + "." + method.getName()
                    + " is final, which no proxy can intercept: remove 'final' (in Kotlin: make it open), or annotate"
                    + " the other methods instead of the type");
        }
    }

    /** As a call looks for it, but makes no bean. */
    private void requireClient(Locked annotation, Method method) {
        String client = annotation.client();
        if (client.isEmpty() || beans.containsBean(client) || !(beans instanceof ListableBeanFactory listable)) {
            return;
        }
        List<String> known =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, Interlock.class, true, false));
        if (known.stream()
                .noneMatch(name -> BeanFactoryAnnotationUtils.isQualifierMatch(client::equals, name, beans))) {
            throw new LockedMethodException("@Locked on "
                    + method.getDeclaringClass().getName() + "." + method.getName() + " has client = \"" + client
                    + "\", but no bean of type Interlock has that name or qualifier: there are " + known);
        }
    }

    private List<LockedOperation> parse(Set<Locked> annotations, Method method, Class<?> type) {
        List<LockedOperation> operations = new ArrayList<>(annotations.size());
        for (Locked annotation : annotations) {
            String problem = ProxyableMethods.problem(method, type, beans::resolveEmbeddedValue);
            if (problem != null) {
                throw new LockedMethodException(
                        "@Locked on " + method.getDeclaringClass().getName() + "." + method.getName() + " " + problem);
            }
            requireClient(annotation, method);
            operations.add(new LockedOperation(annotation, method, type, expressions, SpringResultTypes.FORMS));
        }
        return List.copyOf(operations);
    }
}
