package dev.interlock.annotation.spi;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

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
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
                ? elements(type)
                : optional(type);
    }

    private static Object elements(Class<?> type) {
        return switch (type.getName()) {
            case "java.util.Collection", "java.util.SequencedCollection", "java.util.Set", "java.util.SequencedSet" ->
                new LinkedHashSet<>();
            case "java.util.List" -> new ArrayList<>();
            case "java.util.SortedSet", "java.util.NavigableSet" -> new TreeSet<>();
            case "java.util.Map", "java.util.SequencedMap" -> new LinkedHashMap<>();
            case "java.util.SortedMap", "java.util.NavigableMap" -> new TreeMap<>();
            default -> made(type);
        };
    }

    private static Object made(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.trySetAccessible();
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("There is no empty " + type.getName(), e);
        }
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
}
