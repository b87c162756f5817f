package dev.interlock.micronaut;

import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.NameTemplate;
import dev.interlock.annotation.spi.NameText;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of an argument, or of a property of one.
 *
 * @param path as it is written
 * @param index that of the argument
 * @param properties the methods that lead from the argument to the value; empty for the argument itself
 * @param where the method that is locked, for messages
 */
record ArgumentPath(String path, int index, List<Method> properties, String where) implements NameTemplate {

    /**
     * Finds what a path leads to, by the types that are declared.
     *
     * @throws IllegalArgumentException if it leads nowhere, or to what has no text; the message goes on after "the
     *     annotation "
     */
    static ArgumentPath parse(String path, List<String> parameters, Method method) {
        String[] steps = path.split("\\.", -1);
        int index = parameters.indexOf(steps[0]);
        if (index < 0) {
            throw new IllegalArgumentException("mentions {" + path + "} in its name, but the method has no parameter of"
                    + " that name: it has " + parameters);
        }
        Class<?> type = method.getParameterTypes()[index];
        List<Method> properties = new ArrayList<>();
        for (int i = 1; i < steps.length; i++) {
            Method property = property(type, steps[i], path);
            properties.add(property);
            type = property.getReturnType();
        }
        NameText.UnfitException problem = NameText.problem(type);
        if (problem != null) {
            throw new IllegalArgumentException("has {" + path + "} in its name, but " + explained(problem), problem);
        }
        return new ArgumentPath(
                path, index, List.copyOf(properties), method.getDeclaringClass().getName() + "." + method.getName());
    }

    private static Method property(Class<?> type, String name, String path) {
        String capital = name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
        return Stream.of(name, "get" + capital, "is" + capital)
                .flatMap(getter -> Stream.of(type.getMethods())
                        .filter(known -> known.getName().equals(getter)
                                && known.getParameterCount() == 0
                                && known.getReturnType() != void.class
                                && !known.isBridge()))
                .findFirst()
                .map(found -> {
                    // Public, but perhaps of a class that is not.
                    found.trySetAccessible();
                    return found;
                })
                .orElseThrow(() -> new IllegalArgumentException("mentions {" + path + "} in its name, but "
                        + type.getName() + " has no public method " + name + "() or get" + capital + "()"));
    }

    private static String explained(NameText.UnfitException unfit) {
        return unfit.getMessage() + ": " + unfit.problem().remedy();
    }

    @Override
    public String name(Call call) {
        @Nullable Object value = call.arguments()[index];
        for (Method property : properties) {
            value = read(property, named(value));
        }
        try {
            return NameText.of(named(value));
        } catch (NameText.UnfitException e) {
            throw new IllegalArgumentException(
                    "The name of a lock would not be the same each time: " + mention() + ": " + explained(e), e);
        }
    }

    private Object named(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("The name of a lock must not be null: " + mention());
        }
        return value;
    }

    private @Nullable Object read(Method property, Object owner) {
        try {
            return property.invoke(owner);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalArgumentException("The name of a lock could not be read: " + mention(), e);
        }
    }

    private String mention() {
        return "{" + path + "} on " + where;
    }
}
