package dev.interlock.annotation.spi;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type within a class that binds variables of the types that it extends. Immutable.
 *
 * @param type as it is declared
 * @param bindings what the class puts in the place of variables
 */
record GenericType(Type type, Map<TypeVariable<?>, Type> bindings) {

    /** What a method returns in a class. */
    static GenericType ofResult(Method method, Class<?> owner) {
        return new GenericType(method.getGenericReturnType(), bindings(owner));
    }

    /** What the last parameter of a method is in a class. */
    static GenericType ofLastParameter(Method method, Class<?> owner) {
        Type[] parameters = method.getGenericParameterTypes();
        return new GenericType(parameters[parameters.length - 1], bindings(owner));
    }

    private static Map<TypeVariable<?>, Type> bindings(Class<?> owner) {
        Map<TypeVariable<?>, Type> bindings = new HashMap<>();
        bind(owner, bindings);
        return Map.copyOf(bindings);
    }

    private static void bind(@Nullable Type type, Map<TypeVariable<?>, Type> bindings) {
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            TypeVariable<?>[] variables = raw.getTypeParameters();
            Type[] arguments = generic.getActualTypeArguments();
            for (int i = 0; i < variables.length; i++) {
                bindings.put(variables[i], arguments[i]);
            }
            bind(raw, bindings);
        } else if (type instanceof Class<?> plain) {
            bind(plain.getGenericSuperclass(), bindings);
            for (Type parent : plain.getGenericInterfaces()) {
                bind(parent, bindings);
            }
        }
    }

    /** The class of its values; null if that may be any. */
    @Nullable
    Class<?> raw() {
        Type known = known();
        if (known instanceof Class<?> plain) {
            return plain;
        }
        if (known instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (known instanceof GenericArrayType array) {
            Class<?> component = with(array.getGenericComponentType()).raw();
            return component == null ? null : Array.newInstance(component, 0).getClass();
        }
        return null;
    }

    /** What its values consist of: its type arguments, or the variables for which it has none; of an array its type. */
    List<GenericType> arguments() {
        Type known = known();
        if (known instanceof GenericArrayType array) {
            return List.of(with(array.getGenericComponentType()));
        }
        if (known instanceof Class<?> plain && plain.isArray()) {
            return List.of(with(plain.getComponentType()));
        }
        if (known instanceof ParameterizedType generic) {
            return Stream.of(generic.getActualTypeArguments()).map(this::with).toList();
        }
        return known instanceof Class<?> plain
                ? Stream.<Type>of(plain.getTypeParameters()).map(this::with).toList()
                : List.of();
    }

    /** The class of the values of the first type argument; Object if it has none, or that may be any. */
    Class<?> rawArgument() {
        List<GenericType> arguments = arguments();
        Class<?> raw = arguments.isEmpty() ? null : arguments.get(0).raw();
        return Objects.requireNonNullElse(raw, Object.class);
    }

    private GenericType with(Type part) {
        return new GenericType(part, bindings);
    }

    /** What a variable or a wildcard stands for, by its bound if nothing else is known; null if for anything. */
    private @Nullable Type known() {
        // In odd classes variables stand for each other.
        Set<Type> seen = new HashSet<>();
        Type known = type;
        while (known instanceof TypeVariable<?> || known instanceof WildcardType) {
            if (known instanceof TypeVariable<?> variable) {
                Type bound = seen.add(variable) ? bindings.get(variable) : null;
                known = bound == null ? first(variable.getBounds()) : bound;
            } else {
                WildcardType wildcard = (WildcardType) known;
                Type upper = first(wildcard.getUpperBounds());
                known = upper == null ? first(wildcard.getLowerBounds()) : upper;
            }
        }
        return known;
    }

    private static @Nullable Type first(Type[] bounds) {
        return bounds.length == 0 || bounds[0] == Object.class ? null : bounds[0];
    }
}
