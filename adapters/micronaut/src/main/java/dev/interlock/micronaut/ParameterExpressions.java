package dev.interlock.micronaut;

import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.NameTemplate;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of locks with arguments, and properties of arguments, in braces.
 *
 * @param parameters the names of the method's parameters: Micronaut knows them without {@code -parameters}
 */
record ParameterExpressions(List<String> parameters) implements Expressions {

    private static final Pattern ARGUMENT = Pattern.compile("\\{([^{}]*)}");

    @Override
    public String resolve(String text) {
        // Micronaut has replaced them: it reads annotations of beans by way of the configuration.
        return text;
    }

    @Override
    public NameTemplate name(String text, Method method) {
        List<NameTemplate> parts = new ArrayList<>();
        Matcher argument = ARGUMENT.matcher(text);
        int end = 0;
        while (argument.find()) {
            parts.add(literal(text, end, argument.start()));
            parts.add(ArgumentPath.parse(argument.group(1), parameters, method));
            end = argument.end();
        }
        parts.add(literal(text, end, text.length()));
        return call -> {
            StringBuilder name = new StringBuilder();
            parts.forEach(part -> name.append(part.name(call)));
            return name.toString();
        };
    }

    private static NameTemplate literal(String text, int from, int to) {
        String literal = text.substring(from, to);
        if (literal.indexOf('{') >= 0 || literal.indexOf('}') >= 0 || (literal.endsWith("#") && to < text.length())) {
            throw new IllegalArgumentException(
                    "has a name that cannot be parsed: \"" + text + "\": write {order} or {order.id} for an argument");
        }
        return call -> literal;
    }
}
