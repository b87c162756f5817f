package dev.interlock.cdi;

import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.LockedOperation;
import dev.interlock.annotation.spi.ResultForms;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds what stands at methods, checks it, and keeps what was parsed. Thread-safe. */
final class LockedMethods {

    private final Expressions expressions;
    private final ResultForms forms;
    private final Map<Key, List<LockedOperation>> found = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> type) {}

    /** Finds nothing yet. */
    LockedMethods(Expressions expressions, ResultForms forms) {
        this.expressions = expressions;
        this.forms = forms;
    }

    /**
     * The annotations of a method of a bean, outermost first; empty if it has none.
     *
     * @param type the class of the bean
     */
    List<LockedOperation> operations(Method method, Class<?> type) {
        return found.computeIfAbsent(new Key(method, type), key -> parse(method, type));
    }

    private List<LockedOperation> parse(Method method, Class<?> type) {
        Class<?> owner = method.getDeclaringClass().isAssignableFrom(type) ? type : method.getDeclaringClass();
        return annotations(method, owner)
                .map(annotation -> new LockedOperation(annotation, method, owner, expressions, forms))
                .toList();
    }

    /** Those of the method, or else those of the class, which are for its public methods. */
    private static Stream<Locked> annotations(Method method, Class<?> type) {
        Locked[] own = method.getAnnotationsByType(Locked.class);
        boolean isPart = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic();
        return Stream.of(own.length == 0 && isPart ? type.getAnnotationsByType(Locked.class) : own);
    }

    /**
     * Looks at all methods of a class.
     *
     * @param client makes the client of a name; throws IllegalStateException if there is none
     * @throws LockedMethodException if one could not be locked; the message says why
     */
    void check(Class<?> type, Consumer<String> client) {
        for (Class<?> declaring = type;
                declaring != null && declaring != Object.class;
                declaring = declaring.getSuperclass()) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (!method.isSynthetic()) {
                    check(method, type, client);
                }
            }
        }
    }

    private void check(Method method, Class<?> type, Consumer<String> client) {
        List<Locked> annotations = annotations(method, type).toList();
        int modifiers = method.getModifiers();
        if (!annotations.isEmpty()
                && (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers))) {
            throw new LockedMethodException(where(method) + " is on a method that is private, static or final, which no"
                    + " container intercepts: make it an instance method that is neither private nor final");
        }
        for (Locked annotation : annotations) {
            try {
                client.accept(annotation.client());
            } catch (IllegalStateException e) {
                throw new LockedMethodException(where(method) + " has no client: " + e.getMessage());
            }
        }
        var unused = operations(method, type);
    }

    private static String where(Method method) {
        return "@Locked on " + method.getDeclaringClass().getName() + "." + method.getName();
    }
}
