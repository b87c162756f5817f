package dev.interlock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

/**
 * The text that a value has in the name of a lock. Equal values must have equal texts, in each process: what has the
 * address of an object in its text, or the order of a hash table, would be another name at each call, and so no lock.
 *
 * <p>The {@code toString} of a type is trusted if the type, or a superclass of it, declares one.
 */
final class NameText {

    private static final String NAME_A_PROPERTY =
            "name a property of it, such as #{#order.id}, or give the type a toString()";

    /** What {@code Object.toString} makes, of a class whose name is not known. */
    private static final Pattern IDENTITY = Pattern.compile("[^@\\s]+@[0-9a-f]{1,8}");

    private NameText() {}

    /** A value whose text would not be the same each time. The message says why, and what to do. */
    static final class UnfitException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnfitException(Class<?> type, String problem) {
            super("a value of type " + type.getTypeName() + " " + problem);
        }
    }

    /**
     * The text of a value.
     *
     * @throws UnfitException if equal values might have other texts
     */
    static String of(Object value) {
        requireFit(value.getClass());
        if (value instanceof Collection<?> elements) {
            elements.forEach(element -> requireElement(value, element));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, element) -> {
                requireElement(value, key);
                requireElement(value, element);
            });
        } else if (value instanceof Record) {
            requireComponents(value);
        }
        String text = value.toString();
        if (!(value instanceof CharSequence) && isIdentity(value, text)) {
            throw new UnfitException(value.getClass(), "has no toString() of its own: " + NAME_A_PROPERTY);
        }
        return text;
    }

    private static void requireElement(Object whole, @Nullable Object element) {
        if (element == null) {
            throw new UnfitException(whole.getClass(), "has an element that is null, and so without a name");
        }
        of(element);
    }

    /** The toString that a record has if it declares none has the texts of its components. */
    private static void requireComponents(Object whole) {
        String text = whole.toString();
        for (RecordComponent component : whole.getClass().getRecordComponents()) {
            Object part;
            try {
                ReflectionUtils.makeAccessible(component.getAccessor());
                part = component.getAccessor().invoke(whole);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // Of a module that is closed to us: what it declares is trusted.
                return;
            }
            if (part != null && text.contains(component.getName() + "=" + part)) {
                of(part);
            }
        }
    }

    /** Whether a toString that is declared calls that of Object in the end, as that of a proxy does. */
    private static boolean isIdentity(Object value, String text) {
        if (Proxy.isProxyClass(value.getClass())) {
            return IDENTITY.matcher(text).matches();
        }
        for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
            if (text.startsWith(type.getName() + "@")) {
                return true;
            }
        }
        return text.startsWith(AopProxyUtils.ultimateTargetClass(value).getName() + "@");
    }

    /** Why no value of a parameter of this type can be in a name; null if it can, or if the value decides. */
    static @Nullable String problem(Class<?> type) {
        boolean decided = type.isArray()
                || !(type.isPrimitive() || type == Object.class || Modifier.isAbstract(type.getModifiers()));
        if (decided) {
            try {
                requireFit(type);
            } catch (UnfitException e) {
                return e.getMessage();
            }
        }
        return null;
    }

    /** Refuses types none of whose values has a text that is the same each time. */
    private static void requireFit(Class<?> type) {
        if (type.isArray()) {
            throw new UnfitException(
                    type,
                    "is an array, whose text is its address: pass a List, or write"
                            + " #{T(java.util.Arrays).toString(#a0)}");
        }
        if (type == Optional.class) {
            throw new UnfitException(type, "may be empty: write #{#a0.orElseThrow()}");
        }
        if (Collection.class.isAssignableFrom(type)
                && !List.class.isAssignableFrom(type)
                && !SortedSet.class.isAssignableFrom(type)) {
            throw new UnfitException(type, "has its elements in no fixed order: pass a List or a SortedSet");
        }
        if (Map.class.isAssignableFrom(type) && !SortedMap.class.isAssignableFrom(type)) {
            throw new UnfitException(type, "has its elements in no fixed order: pass a SortedMap");
        }
        Method text = ReflectionUtils.findMethod(type, "toString");
        if (text == null || text.getDeclaringClass() == Object.class) {
            throw new UnfitException(type, "has no toString() of its own: " + NAME_A_PROPERTY);
        }
    }

    /** Has expressions make texts by these rules, too: where they add values to a text, or call toString(). */
    static void applyTo(StandardEvaluationContext context) {
        context.setTypeConverter(new Texts(context.getTypeConverter()));
        context.addMethodResolver((within, target, name, arguments) -> {
            if (name.equals("toString") && arguments.isEmpty()) {
                requireFit(target.getClass());
            }
            return null;
        });
    }

    /** What an expression adds to a text is converted to one. */
    private record Texts(TypeConverter others) implements TypeConverter {

        private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

        @Override
        public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
            return to.equals(TEXT) || others.canConvert(from, to);
        }

        @Override
        public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
            return value != null && to.equals(TEXT) ? of(value) : others.convertValue(value, from, to);
        }
    }
}
