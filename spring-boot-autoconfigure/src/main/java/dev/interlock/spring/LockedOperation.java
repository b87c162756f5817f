package dev.interlock.spring;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/**
 * One {@link Locked} on one method, parsed and checked: what is wrong with it is found when the application starts.
 * Immutable.
 */
final class LockedOperation {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    /** A variable of an expression; those after a dot or within a word are none. */
    private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");

    private static final Duration LONGEST_LAPSE = Duration.ofDays(365);
    private static final Pattern POSITION = Pattern.compile("[ap](\\d+)");
    private static final Pattern STRING_LITERAL = Pattern.compile("'(?:[^']|'')*'");

    private final Locked annotation;
    private final Method method;
    private final List<Expression> names;
    private final @Nullable Duration wait;
    private final @Nullable LeaseTerm lease;
    private final @Nullable Duration atLeast;
    private final @Nullable Method fallback;

    /**
     * Parses an annotation.
     *
     * @param method the method of the class of the bean
     * @param placeholders replaces <code>${…}</code>
     * @throws LockedMethodException if a rule is broken; the message says which, and where
     */
    LockedOperation(Locked annotation, Method method, Class<?> type, StringValueResolver placeholders) {
        this.annotation = annotation;
        this.method = method;
        requireProxyable(type);
        if (annotation.value().length == 0) {
            throw refusal("names no lock: give it one name or more");
        }
        this.names = Arrays.stream(annotation.value())
                .map(template -> name(template, placeholders))
                .toList();
        this.wait = duration("waitAtMost", annotation.waitAtMost(), placeholders);
        Duration length = duration("lease", annotation.lease(), placeholders);
        this.lease = length == null ? null : term(length);
        this.atLeast = duration("atLeast", annotation.atLeast(), placeholders);
        requirePermits();
        requireLapsing();
        this.fallback = annotation.onBusy() == Locked.OnBusy.FALLBACK ? fallback(type) : null;
        if (annotation.onBusy() != Locked.OnBusy.FALLBACK
                && !annotation.fallback().isEmpty()) {
            throw refusal("has fallback = \"" + annotation.fallback() + "\", but onBusy = " + annotation.onBusy()
                    + ": set onBusy = FALLBACK, or remove the fallback");
        }
    }

    Locked annotation() {
        return annotation;
    }

    Method method() {
        return method;
    }

    /** How long to wait; null to wait without limit. */
    @Nullable
    Duration waitLimit() {
        return wait;
    }

    /** The term that the annotation gives; null if the defaults of the name count. */
    @Nullable
    LeaseTerm lease() {
        return lease;
    }

    /** For how long a lock that was acquired at this moment has to stay locked yet; zero if for no time. */
    Duration leftToLapse(long acquiredNanos) {
        if (atLeast == null) {
            return Duration.ZERO;
        }
        Duration left = atLeast.minusNanos(System.nanoTime() - acquiredNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** What runs if the lock is not available; null if nothing does. */
    @Nullable
    Method fallback() {
        return fallback;
    }

    /** The names of the locks for this call, each once. */
    List<String> names(Object target, @Nullable Object[] args, BeanFactory beans) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(
                new Root(method, target, Arrays.asList(args)), method, args, PARAMETER_NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        Set<String> resolved = new LinkedHashSet<>();
        for (Expression name : names) {
            resolved.add(name(name, context));
        }
        return List.copyOf(resolved);
    }

    private String name(Expression template, MethodBasedEvaluationContext context) {
        // Each part by itself: a template would turn a null into the text "null", a name that strangers share.
        StringBuilder name = new StringBuilder();
        for (Expression part : parts(template)) {
            Object value;
            try {
                value = part.getValue(context);
            } catch (ExpressionException e) {
                throw new IllegalArgumentException(
                        "The name of a lock could not be evaluated: expression '" + part.getExpressionString() + "' on "
                                + where() + ": " + e.getMessage(),
                        e);
            }
            if (value == null) {
                throw new IllegalArgumentException("The name of a lock must not be null: expression '"
                        + part.getExpressionString() + "' on " + where());
            }
            name.append(value);
        }
        return name.toString();
    }

    private static List<Expression> parts(Expression template) {
        return template instanceof org.springframework.expression.common.CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(template);
    }

    /** The arguments, with the lease where the method has a parameter for one. */
    static @Nullable Object[] withLease(Method method, @Nullable Object[] args, @Nullable Lease lease) {
        @Nullable Object[] changed = args;
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == Lease.class) {
                changed = changed == args ? args.clone() : changed;
                changed[i] = lease;
            }
        }
        return changed;
    }

    /** The annotation and its place, for messages. */
    String where() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    // ---- checks

    private void requireProxyable(Class<?> type) {
        int modifiers = method.getModifiers();
        boolean overridable =
                !Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers);
        if (!overridable) {
            throw refusal("is on a method that is private, static or final, which no proxy can intercept: "
                    + "make it an instance method that is neither private nor final");
        }
        if (Modifier.isFinal(type.getModifiers()) && type.getInterfaces().length == 0) {
            throw refusal("is on a method of a final class without an interface, which no proxy can extend: "
                    + "remove 'final', or let the class implement an interface that has the method");
        }
    }

    private void requirePermits() {
        boolean ofPermits = annotation.kind() == Locked.Kind.PERMITS;
        if (annotation.permits() < 1 || annotation.capacity() < annotation.permits()) {
            throw refusal("must take from 1 permit to its capacity: permits=" + annotation.permits() + ", capacity="
                    + annotation.capacity());
        }
        if (!ofPermits && (annotation.permits() != 1 || annotation.capacity() != 1)) {
            throw refusal("has permits or a capacity, but kind = " + annotation.kind() + ": set kind = PERMITS");
        }
        if (ofPermits && annotation.value().length > 1) {
            throw refusal("names several semaphores: repeat the annotation, once for each name");
        }
    }

    private void requireLapsing() {
        if (atLeast == null) {
            return;
        }
        if (annotation.kind() == Locked.Kind.READ) {
            throw refusal("has atLeast, but kind = READ, and a read lock cannot be left to lapse: remove it");
        }
        if (atLeast.isNegative() || atLeast.compareTo(LONGEST_LAPSE) > 0) {
            throw refusal("has atLeast = \"" + annotation.atLeast() + "\": it must be from 0 s to 365 days");
        }
    }

    private Expression name(String template, StringValueResolver placeholders) {
        String text = resolved("value", template, placeholders);
        if (text.isEmpty()) {
            throw refusal("has an empty name: a name has at least one character");
        }
        Expression expression;
        try {
            expression = PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
        } catch (ExpressionException e) {
            throw refusal("has a name that cannot be parsed: \"" + text + "\": " + e.getMessage());
        }
        for (Expression part : parts(expression)) {
            if (part instanceof org.springframework.expression.spel.standard.SpelExpression) {
                requireVariables(part.getExpressionString());
            }
        }
        return expression;
    }

    private void requireVariables(String expression) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
        Matcher variable = VARIABLE.matcher(STRING_LITERAL.matcher(expression).replaceAll("''"));
        while (variable.find()) {
            String name = variable.group(1);
            Matcher position = POSITION.matcher(name);
            boolean exists = name.equals("root")
                    || name.equals("this")
                    || (known != null && Arrays.asList(known).contains(name))
                    || (position.matches() && Integer.parseInt(position.group(1)) < method.getParameterCount());
            if (!exists) {
                throw refusal("mentions #" + name + " in its name, but "
                        + (known == null
                                ? "the names of the method's parameters are unknown: compile with -parameters, or write"
                                        + " #a0 for the first"
                                : "the method has no parameter of that name: it has "
                                        + new ArrayList<>(Arrays.asList(known))));
            }
        }
    }

    private @Nullable Duration duration(String attribute, String text, StringValueResolver placeholders) {
        String resolved = resolved(attribute, text, placeholders);
        if (resolved.isEmpty()) {
            return null;
        }
        try {
            return DurationStyle.detectAndParse(resolved);
        } catch (IllegalArgumentException e) {
            throw refusal(
                    "has " + attribute + " = \"" + resolved + "\", which is no duration: write 500ms, 5s or PT5S");
        }
    }

    private LeaseTerm term(Duration length) {
        try {
            return LeaseTerm.fixed(length);
        } catch (IllegalArgumentException e) {
            throw refusal("has a lease that cannot be: " + e.getMessage());
        }
    }

    private String resolved(String attribute, String text, StringValueResolver placeholders) {
        try {
            String resolved = placeholders.resolveStringValue(text);
            return resolved == null ? "" : resolved;
        } catch (IllegalArgumentException e) {
            throw refusal("has " + attribute + " = \"" + text + "\": " + e.getMessage());
        }
    }

    private Method fallback(Class<?> type) {
        Method found = ReflectionUtils.findMethod(type, annotation.fallback(), method.getParameterTypes());
        if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
            throw refusal("has onBusy = FALLBACK, but " + type.getName() + " has no method '" + annotation.fallback()
                    + "' with the same parameters and result: " + method.toGenericString());
        }
        ReflectionUtils.makeAccessible(found);
        return found;
    }

    private LockedMethodException refusal(String problem) {
        return new LockedMethodException("@Locked on " + where() + " " + problem);
    }

    /** What {@code #root} is in an expression. */
    record Root(Method method, Object target, List<@Nullable Object> args) {}
}
