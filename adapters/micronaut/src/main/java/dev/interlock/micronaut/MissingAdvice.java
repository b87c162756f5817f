package dev.interlock.micronaut;

import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.inject.BeanDefinition;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses beans with {@link Locked} methods that Micronaut does not intercept, which would run without their lock: they
 * were compiled without {@link LockedMapper}, or cannot be overridden.
 */
@Singleton
final class MissingAdvice implements BeanCreatedEventListener<Object> {

    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

    @Override
    public Object onCreated(BeanCreatedEvent<Object> event) {
        Class<?> type = event.getBean().getClass();
        if (!type.getName().startsWith("io.micronaut.") && checked.add(type)) {
            for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
                check(part, event.getBeanDefinition());
            }
        }
        return event.getBean();
    }

    private static void check(Class<?> type, BeanDefinition<?> definition) {
        if (type.isAnnotationPresent(Locked.class) && !definition.hasStereotype(LockedAdvice.class)) {
            throw refusal(type.getName());
        }
        for (Method method : type.getDeclaredMethods()) {
            if (method.getAnnotationsByType(Locked.class).length > 0 && !isAdvised(method, definition)) {
                throw refusal(type.getName() + "." + method.getName());
            }
        }
    }

    /** Not by the types of its parameters: a method that overrides it may have narrower ones. */
    private static boolean isAdvised(Method method, BeanDefinition<?> definition) {
        return definition.getExecutableMethods().stream()
                .anyMatch(known -> known.getMethodName().equals(method.getName())
                        && known.getArguments().length == method.getParameterCount()
                        && known.hasStereotype(LockedAdvice.class));
    }

    private static LockedMethodException refusal(String where) {
        return new LockedMethodException("@Locked on " + where + " would have no effect: compile it with"
                + " interlock-micronaut on the path of annotation processors, and let the method be neither private,"
                + " static nor final");
    }
}
