package dev.interlock.spring;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.Capability;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

/**
 * One {@link Locked} on one method, parsed and checked: what is wrong with it is found when the application starts.
 * Immutable, but for what its last run was.
 */
final class LockedOperation {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private static final Duration LONGEST_LAPSE = Duration.ofDays(365);
    private static final Pattern POSITION = Pattern.compile("[ap](\\d+)");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    private final Locked annotation;
    private final Method method;
    private final List<Expression> names;
    private final ResultForm form;
    private final Class<?> resultType;
    private final Class<?> skippedType;
    private final @Nullable Duration wait;
    private final @Nullable LeaseTerm lease;
    private final @Nullable Duration atLeast;
    private final @Nullable Method fallback;

    /** Whether the last call was skipped because the lock was busy. */
    private final AtomicBoolean skipping = new AtomicBoolean();

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
        require(ProxyableMethods.problem(method, type, placeholders));
        require(ResultForm.problem(method, type));
        this.form = ResultForm.of(method, type);
        this.resultType = ResultForm.type(method, type);
        this.skippedType = ResultForm.value(method, type).resolve(Object.class);
        requireSkippable(type);
        if (annotation.value().length == 0) {
            throw refusal("names no lock: give it one name or more");
        }
        this.names = Arrays.stream(annotation.value())
                .map(template -> name(template, placeholders))
                .toList();
        this.wait = duration("waitAtMost", annotation.waitAtMost(), placeholders);
        if (wait != null && wait.isNegative()) {
            throw refusal("has a negative wait: waitAtMost = \"" + annotation.waitAtMost()
                    + "\": write 0s to try once, or leave it out to wait without limit");
        }
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

    /** When the work of the method is over. */
    ResultForm form() {
        return form;
    }

    /** What the method returns. */
    Class<?> resultType() {
        return resultType;
    }

    /** What the caller gets if the method does not run, in the form of the method; null for an empty publisher. */
    @Nullable
    Object skipped() {
        if (isEmptyPublisher()) {
            return null;
        }
        Object value = SkippedResult.of(skippedType);
        return form == ResultForm.STAGE ? CompletableFuture.completedFuture(value) : value;
    }

    /** Whether a method that does not run gives an empty publisher, and not a value that is empty. */
    private boolean isEmptyPublisher() {
        return form == ResultForm.PUBLISHER && !KotlinDetector.isSuspendingFunction(method);
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

    /**
     * Refuses a client whose store cannot keep a lock for {@code atLeast}.
     *
     * @throws UnsupportedOperationException if it cannot
     */
    void requireLapsing(Interlock client) {
        if (atLeast != null && !client.capabilities().contains(Capability.LAPSE)) {
            throw new UnsupportedOperationException("The store cannot keep a lock after the end of the method: atLeast="
                    + annotation.atLeast() + ", on " + where() + "; leave that out, or use another store");
        }
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
        NameText.applyTo(context);
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
                if (value == null) {
                    throw new IllegalArgumentException("The name of a lock must not be null: expression '"
                            + part.getExpressionString() + "' on " + where());
                }
                name.append(NameText.of(value));
            } catch (ExpressionException | NameText.UnfitException e) {
                boolean isUnfit = NestedExceptionUtils.getMostSpecificCause(e) instanceof NameText.UnfitException;
                throw new IllegalArgumentException(
                        "The name of a lock "
                                + (isUnfit ? "would not be the same each time" : "could not be evaluated")
                                + ": expression '" + part.getExpressionString() + "' on " + where() + ": "
                                + (isUnfit ? NestedExceptionUtils.getMostSpecificCause(e) : e).getMessage(),
                        e);
            }
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

    /** A call is skipped because the lock is busy; returns whether the one before was not. */
    boolean skips() {
        return !skipping.getAndSet(true);
    }

    /** A call has the lock. */
    void runs() {
        skipping.set(false);
    }

    /** The method, for messages. */
    String where() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    // ---- checks

    private void require(@Nullable String problem) {
        if (problem != null) {
            throw refusal(problem);
        }
    }

    private void requireSkippable(Class<?> type) {
        boolean isSkipped =
                annotation.onBusy() == Locked.OnBusy.SKIP || annotation.onUnavailable() == Locked.OnUnavailable.SKIP;
        if (isSkipped) {
            require(
                    ResultForm.isNeverEmpty(method, type)
                            ? "may be skipped, but a " + resultType.getName()
                                    + " cannot be empty: return a publisher that can"
                            : isEmptyPublisher() ? null : SkippedResult.problem(skippedType));
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
            if (part instanceof SpelExpression spel) {
                requireVariables(spel.getAST());
                requireTexts(spel.getAST());
            }
        }
        return expression;
    }

    private void requireVariables(SpelNode node) {
        if (node instanceof VariableReference) {
            requireVariable(node.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireVariables(node.getChild(i));
        }
    }

    private void requireVariable(String name) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
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

    /** Where a parameter itself is the text, or a part of it, its type decides whether it has one. */
    private void requireTexts(SpelNode node) {
        if (node instanceof OpPlus) {
            for (int i = 0; i < node.getChildCount(); i++) {
                requireTexts(node.getChild(i));
            }
        } else if (node instanceof VariableReference) {
            Class<?> type = typeOf(node.toStringAST().substring(1));
            String problem = type == null ? null : NameText.problem(type);
            if (problem != null) {
                throw refusal("has " + node.toStringAST() + " in its name, but " + problem);
            }
        }
    }

    /** The type of the parameter of this name, or at this position; null if there is none. */
    private @Nullable Class<?> typeOf(String variable) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
        Class<?>[] types = method.getParameterTypes();
        int index = known == null ? -1 : Arrays.asList(known).indexOf(variable);
        if (index < 0 && POSITION.matcher(variable).matches()) {
            index = Integer.parseInt(variable.substring(1));
        }
        return index >= 0 && index < types.length ? types[index] : null;
    }

    private @Nullable Duration duration(String attribute, String text, StringValueResolver placeholders) {
        String resolved = resolved(attribute, text, placeholders);
        if (resolved.isEmpty()) {
            return null;
        }
        // It would be milliseconds, which "5" is hardly meant to be.
        if (NUMBER.matcher(resolved).matches()) {
            throw refusal("has " + attribute + " = \"" + resolved + "\", a number without a unit: write " + resolved
                    + "s or " + resolved + "ms");
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
