package dev.interlock.micronaut;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.annotation.spi.LockedOperation;
import dev.interlock.annotation.spi.ParameterExpressions;
import dev.interlock.annotation.spi.ResultForms;
import io.micronaut.aop.Intercepted;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Checks the methods with {@link Locked} as the application starts, and keeps what was parsed. Thread-safe: what is
 * found for a method is the same each time, so it does not matter who finds it first.
 */
@Singleton
final class LockedMethods implements ExecutableMethodProcessor<LockedAdvice> {

    private static final ResultForms FORMS = new ResultForms(new ReactorTypes());

    private final BeanContext beans;
    private final Map<Key, List<LockedOperation>> found = new ConcurrentHashMap<>();

    LockedMethods(BeanContext beans) {
        this.beans = beans;
    }

    private record Key(Method method, Class<?> type) {

        String where() {
            return type.getName() + "." + method.getName();
        }
    }

    /** Refuses to let the application start with a method that could not be locked. */
    @Override
    public void process(BeanDefinition<?> definition, ExecutableMethod<?, ?> method) {
        operations(method, definition.getBeanType());
    }

    /**
     * The annotations of a method, outermost first; empty if it has none.
     *
     * @param type the class of the bean, or Micronaut's of it
     */
    List<LockedOperation> operations(ExecutableMethod<?, ?> method, Class<?> type) {
        Class<?> written = Intercepted.class.isAssignableFrom(type) ? type.getSuperclass() : type;
        return found.computeIfAbsent(new Key(method.getTargetMethod(), written), key -> find(method, key));
    }

    private List<LockedOperation> find(ExecutableMethod<?, ?> method, Key key) {
        try {
            return parse(method, key);
        } catch (ConfigurationException e) {
            // A placeholder without a value.
            throw new LockedMethodException("@Locked on " + key.where() + " cannot be read: " + e.getMessage());
        }
    }

    private List<LockedOperation> parse(ExecutableMethod<?, ?> method, Key key) {
        // Micronaut evaluates them without the arguments of the call: all calls would have one name.
        if (method.getAnnotationMetadata().hasEvaluatedExpressions()) {
            throw new LockedMethodException("@Locked on " + key.where() + " is beside an expression, #{...}, which"
                    + " would not see the arguments of each call: write {order} or {order.id} into a name, and keep"
                    + " other annotations of the method free of expressions");
        }
        Locked[] annotations =
                method.getAnnotationMetadata().getDeclaredMetadata().synthesizeAnnotationsByType(Locked.class);
        if (annotations.length == 0 && Modifier.isPublic(key.method.getModifiers())) {
            annotations = method.getAnnotationMetadata().synthesizeAnnotationsByType(Locked.class);
        }
        // Micronaut has replaced placeholders: it reads annotations of beans by way of the configuration.
        ParameterExpressions expressions =
                new ParameterExpressions(UnaryOperator.identity(), unused -> List.of(method.getArgumentNames()));
        return Arrays.stream(annotations)
                .map(annotation -> operation(annotation, key, expressions))
                .toList();
    }

    private LockedOperation operation(Locked annotation, Key key, ParameterExpressions expressions) {
        String client = annotation.client();
        if (!client.isEmpty() && !beans.containsBean(Interlock.class, Qualifiers.byName(client))) {
            throw new LockedMethodException("@Locked on " + key.where() + " has client = \"" + client
                    + "\", but no bean of type Interlock has that name");
        }
        return new LockedOperation(annotation, key.method, key.type, expressions, FORMS);
    }
}
