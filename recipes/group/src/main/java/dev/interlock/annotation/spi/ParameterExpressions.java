package dev.interlock.annotation.spi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names with parameters in braces, for frameworks without a language of their own: <code>{id}</code>, <code>{0}</code>
 * for the first, <code>{order.id}</code> for what {@code id()} or {@code getId()} of the argument returns. All of it is
 * looked up in the declared types at the start. Thread-safe.
 */
public final class ParameterExpressions implements Expressions {

    private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern POSITION = Pattern.compile("\\d{1,3}");

    private final UnaryOperator<String> placeholders;
    private final Function<Method, List<String>> parameterNames;

    /**
     * Expressions with the names of parameters that the class file has, if it was compiled with {@code -parameters}.
     *
     * @param placeholders replaces them, as {@link #resolve}
     */
    public ParameterExpressions(UnaryOperator<String> placeholders) {
        this(placeholders, ParameterExpressions::namesInTheClassFile);
    }

    /**
     * Expressions with parameters that have names of the framework.
     *
     * @param placeholders replaces them, as {@link #resolve}
     * @param parameterNames of a method; empty if they are not known
     */
    public ParameterExpressions(UnaryOperator<String> placeholders, Function<Method, List<String>> parameterNames) {
        this.placeholders = placeholders;
        this.parameterNames = parameterNames;
    }

    private static List<String> namesInTheClassFile(Method method) {
        return Stream.of(method.getParameters())
                .filter(Parameter::isNamePresent)
                .map(Parameter::getName)
                .toList();
    }

    @Override
    public String resolve(String text) {
        return placeholders.apply(text);
    }

    @Override
    public NameTemplate name(String text, Method method) {
        List<String> parameters = parameterNames.apply(method);
        List<Part> parts = new ArrayList<>();
        Matcher braces = BRACES.matcher(text);
        int end = 0;
        for (; braces.find(); end = braces.end()) {
            addText(text.substring(end, braces.start()), parameters, parts);
            parts.add(value(braces.group(1).strip(), parameters, method));
        }
        addText(text.substring(end), parameters, parts);
        return call -> {
            StringBuilder name = new StringBuilder();
            parts.forEach(part -> name.append(part.of(call)));
            return name.toString();
        };
    }

    private interface Part {
        String of(Call call);
    }

    // ---- at the start

    private static void addText(String text, List<String> parameters, List<Part> parts) {
        if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
            throw new IllegalArgumentException("has a name that cannot be parsed, with a brace that has no other: \""
                    + text + "\": write parameters as {id}");
        }
        for (String parameter : parameters) {
            if (text.matches("(?s).*[#$]" + Pattern.quote(parameter) + "\\b.*")) {
                throw new IllegalArgumentException("has the parameter " + parameter
                        + " outside of braces in its name, as text that is the same for all calls: \"" + text
                        + "\": write {" + parameter + "}");
            }
        }
        parts.add(call -> text);
    }

    private static Part value(String path, List<String> parameters, Method method) {
        String[] steps = path.split("\\.", -1);
        int index = index(steps[0], parameters, method);
        Class<?> type = method.getParameterTypes()[index];
        List<Method> accessors = new ArrayList<>();
        for (int i = 1; i < steps.length; i++) {
            Method accessor = accessor(type, steps[i], path);
            accessors.add(accessor);
            type = accessor.getReturnType();
        }
        NameText.UnfitException problem = NameText.problem(type);
        if (problem != null) {
            throw new IllegalArgumentException("has {" + path + "} in its name, but " + explained(problem), problem);
        }
        String where = "{" + path + "} on " + method.getDeclaringClass().getName() + "." + method.getName();
        return call -> text(call.arguments()[index], accessors, where);
    }

    private static int index(String name, List<String> parameters, Method method) {
        if (POSITION.matcher(name).matches() && Integer.parseInt(name) < method.getParameterCount()) {
            return Integer.parseInt(name);
        }
        int index = parameters.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("mentions {" + name + "} in its name, but "
                    + (parameters.isEmpty() && method.getParameterCount() > 0
                            ? "the names of the method's parameters are unknown: compile with -parameters, or write {0}"
                                    + " for the first"
                            : "the method has no parameter of that name: it has " + parameters));
        }
        return index;
    }

    private static Method accessor(Class<?> type, String property, String path) {
        String suffix =
                property.isEmpty() ? "" : property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        for (String name : List.of(property, "get" + suffix, "is" + suffix)) {
            try {
                Method accessor = type.getMethod(name);
                if (accessor.getReturnType() != void.class) {
                    // Of a class that is not public, perhaps; if its module is closed, a call says so.
                    accessor.trySetAccessible();
                    return accessor;
                }
            } catch (NoSuchMethodException e) {
                // The next one.
            }
        }
        throw new IllegalArgumentException("mentions {" + path + "} in its name, but " + type.getName()
                + " has no public method " + property + "() or get" + suffix + "()");
    }

    private static String explained(NameText.UnfitException unfit) {
        return unfit.getMessage() + ": " + unfit.problem().remedy();
    }

    // ---- for a call

    private static String text(@Nullable Object argument, List<Method> accessors, String where) {
        Object value = argument;
        try {
            for (Method accessor : accessors) {
                value = value == null ? null : accessor.invoke(value);
            }
        } catch (InvocationTargetException | IllegalAccessException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException("The name of a lock could not be evaluated: " + where + ": " + cause, e);
        }
        if (value == null) {
            throw new IllegalArgumentException("The name of a lock must not be null: " + where);
        }
        try {
            return NameText.of(value);
        } catch (NameText.UnfitException e) {
            throw new IllegalArgumentException(
                    "The name of a lock would not be the same each time: " + where + ": " + explained(e), e);
        }
    }
}
