package dev.interlock.spring;

import dev.interlock.annotation.Locked;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Registers the methods of beans with {@link Locked} for reflection in a native image, and the types with it. */
final class LockedAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Class<?>> types = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
        types.add(type);
        Set<Method> methods = new LinkedHashSet<>();
        for (Class<?> searched : types) {
            ReflectionUtils.doWithMethods(searched, methods::add, LockedAotProcessor::isLocked);
        }
        types.removeIf(searched -> !isLocked(searched));
        return methods.isEmpty() && types.isEmpty()
                ? null
                : (context, code) -> {
                    var reflection = context.getRuntimeHints().reflection();
                    types.forEach(reflection::registerType);
                    methods.forEach(method -> reflection.registerMethod(method, ExecutableMode.INVOKE));
                };
    }

    private static boolean isLocked(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.INHERITED_ANNOTATIONS)
                .isPresent(Locked.class);
    }
}
