package dev.interlock.spring;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;

/**
 * What the caller of a method that does not run gets as its result: nothing of the kind that the method returns, and
 * null where there is no such thing.
 */
final class SkippedResult {

    private SkippedResult() {}

    /**
     * The result of a method that does not run.
     *
     * @throws IllegalArgumentException if there is no empty collection of this type
     */
    static @Nullable Object of(Class<?> type) {
        if (type.isPrimitive()) {
            // An array of one element has the default value of a primitive type.
            return type == void.class ? null : Array.get(Array.newInstance(type, 1), 0);
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (Collection.class.isAssignableFrom(type)) {
            return CollectionFactory.createCollection(type, 0);
        }
        return Map.class.isAssignableFrom(type) ? CollectionFactory.createMap(type, 0) : optional(type);
    }

    private static @Nullable Object optional(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        return type == OptionalDouble.class ? OptionalDouble.empty() : null;
    }

    /** Why a method with a result of this type cannot be skipped; null if it can. */
    static @Nullable String problem(Class<?> type) {
        try {
            of(type);
            return null;
        } catch (IllegalArgumentException e) {
            return "may be skipped, but there is no empty " + type.getName()
                    + " to return: declare a List, a Set or a Map, or another interface of the JDK";
        }
    }
}
