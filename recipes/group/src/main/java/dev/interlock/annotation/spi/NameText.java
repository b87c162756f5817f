package dev.interlock.annotation.spi;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text that a value has in the name of a lock. Equal values must have equal texts, in each process: what has the
 * address of an object in its text, or the order of a hash table, would be another name at each call, and so no lock.
 *
 * <p>The {@code toString} of a type is trusted if the type, or a superclass of it, declares one.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public final class NameText {

    /** What {@code Object.toString} makes, of a class whose name is not known. */
    private static final Pattern IDENTITY = Pattern.compile("[^@\\s]+@[0-9a-f]{1,8}");

    /** By name: few applications have them. */
    private static final Set<String> LOCAL = Set.of("java.sql.Date", "java.sql.Time");

    private NameText() {}

    /** Why equal values might have other texts. */
    public enum Problem {
        /** It is an array. */
        ARRAY("is an array, whose text is its address", "pass a List"),
        /** It is an {@code Optional}. */
        OPTIONAL("may be empty", "pass what is in it"),
        /** It is a collection without an order. */
        UNORDERED_COLLECTION("has its elements in no fixed order", "pass a List or a SortedSet"),
        /** It is a map without an order. */
        UNORDERED_MAP("has its elements in no fixed order", "pass a SortedMap"),
        /** It has the zone of the process in its text. */
        ZONED("has a text that depends on the time zone of the process", "pass its toInstant()"),
        /** It has the {@code toString} of {@code Object}. */
        NO_TEXT("has no toString() of its own", "name a property of it, or give the type a toString()"),
        /** It contains itself, or is nested without end. */
        TOO_DEEP("is nested too deeply, or contains itself", "name a property of it"),
        /** It has null within it. */
        NULL_ELEMENT("has an element that is null, and so without a name", "leave it out");

        private final String text;
        private final String remedy;

        Problem(String text, String remedy) {
            this.text = text;
            this.remedy = remedy;
        }

        /** What to do about it. */
        public String remedy() {
            return remedy;
        }
    }

    /** A value whose text would not be the same each time. The message says why, but not what to do. */
    public static final class UnfitException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final Problem problem;

        /** Says why values of a type are refused. */
        public UnfitException(Class<?> type, Problem problem) {
            super("a value of type " + type.getTypeName() + " " + problem.text);
            this.problem = problem;
        }

        /** Why it is refused. */
        public Problem problem() {
            return problem;
        }
    }

    /**
     * The text of a value.
     *
     * @throws UnfitException if equal values might have other texts
     */
    public static String of(Object value) {
        if (value == null) {
            throw new IllegalArgumentException("NameText.of: the value must not be null, which has no text");
        }
        try {
            return text(value);
        } catch (StackOverflowError e) {
            // Also of a toString that is declared.
            throw new UnfitException(value.getClass(), Problem.TOO_DEEP);
        }
    }

    private static String text(Object value) {
        requireFit(value.getClass());
        if (value instanceof Collection<?> elements) {
            elements.forEach(element -> requireElement(value, element));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, element) -> {
                requireElement(value, key);
                requireElement(value, element);
            });
        } else if (value instanceof Map.Entry<?, ?> entry) {
            requireElement(value, entry.getKey());
            requireElement(value, entry.getValue());
        } else if (value instanceof AtomicReference<?> reference) {
            requireElement(value, reference.get());
        } else if (value instanceof AtomicReferenceArray<?> array) {
            for (int i = 0; i < array.length(); i++) {
                requireElement(value, array.get(i));
            }
        } else if (value instanceof Record) {
            requireComponents(value);
        }
        String text = value.toString();
        if (!(value instanceof CharSequence) && isIdentity(value, text)) {
            throw new UnfitException(value.getClass(), Problem.NO_TEXT);
        }
        return text;
    }

    private static void requireElement(Object whole, @Nullable Object element) {
        if (element == null) {
            throw new UnfitException(whole.getClass(), Problem.NULL_ELEMENT);
        }
        text(element);
    }

    /** The toString that a record has if it declares none has the texts of its components. */
    private static void requireComponents(Object whole) {
        String text = whole.toString();
        for (RecordComponent component : whole.getClass().getRecordComponents()) {
            Object part;
            try {
                component.getAccessor().trySetAccessible();
                part = component.getAccessor().invoke(whole);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // Of a module that is closed to us: what it declares is trusted.
                return;
            }
            if (part != null && text.contains(component.getName() + "=" + part)) {
                text(part);
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
        return false;
    }

    /** What is wrong with each value of a parameter of this type; null if nothing, or if the value decides. */
    public static @Nullable UnfitException problem(Class<?> type) {
        boolean decided = type.isArray()
                || type == Calendar.class
                || !(type.isPrimitive() || type == Object.class || Modifier.isAbstract(type.getModifiers()));
        if (decided) {
            try {
                requireFit(type);
            } catch (UnfitException e) {
                return e;
            }
        }
        return null;
    }

    /**
     * Refuses types none of whose values has a text that is the same each time.
     *
     * @throws UnfitException if this is one
     */
    public static void requireFit(Class<?> type) {
        if (type.isArray()) {
            throw new UnfitException(type, Problem.ARRAY);
        }
        if (type == Optional.class) {
            throw new UnfitException(type, Problem.OPTIONAL);
        }
        if (Collection.class.isAssignableFrom(type)
                && !List.class.isAssignableFrom(type)
                && !SortedSet.class.isAssignableFrom(type)) {
            throw new UnfitException(type, Problem.UNORDERED_COLLECTION);
        }
        if (Map.class.isAssignableFrom(type) && !SortedMap.class.isAssignableFrom(type)) {
            throw new UnfitException(type, Problem.UNORDERED_MAP);
        }
        if (isZoned(type)) {
            throw new UnfitException(type, Problem.ZONED);
        }
        if (!hasText(type)) {
            throw new UnfitException(type, Problem.NO_TEXT);
        }
    }

    /** Instants that are written in the zone of the process; those of SQL without a time stamp are local by meaning. */
    private static boolean isZoned(Class<?> type) {
        return Calendar.class.isAssignableFrom(type)
                || (Date.class.isAssignableFrom(type) && !LOCAL.contains(type.getName()));
    }

    private static boolean hasText(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
