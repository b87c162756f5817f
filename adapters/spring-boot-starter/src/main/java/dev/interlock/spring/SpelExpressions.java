package dev.interlock.spring;

import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.Expressions;
import dev.interlock.annotation.spi.NameTemplate;
import dev.interlock.annotation.spi.NameText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Placeholders of the application's properties, and names in the Spring Expression Language. */
final class SpelExpressions implements Expressions {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();
    private static final Pattern POSITION = Pattern.compile("[ap](\\d+)");

    /** What looks like a parameter in a text: {@code #id}, <code>{id}</code>, <code>${id.part}</code>. */
    private static final Pattern MENTION = Pattern.compile("#(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)"
            + "|\\{(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)(?=[}.])");

    private final ConfigurableBeanFactory beans;

    /** Expressions that see these beans. */
    SpelExpressions(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public String resolve(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }

    @Override
    public NameTemplate name(String text, Method method) {
        Expression expression;
        try {
            expression = PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
        } catch (ExpressionException e) {
            throw new IllegalArgumentException(
                    "has a name that cannot be parsed: \"" + text + "\": " + e.getMessage(), e);
        }
        // Each part by itself: a template would turn a null into the text "null", a name that strangers share.
        List<Expression> parts = expression instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(expression);
        for (Expression part : parts) {
            if (part instanceof LiteralExpression literal) {
                requireNoParameter(literal.getExpressionString(), method);
            }
            if (part instanceof SpelExpression spel) {
                requireVariables(spel.getAST(), method);
                requireTexts(spel.getAST(), method);
            }
        }
        return call -> evaluated(parts, method, call);
    }

    // ---- at the start

    /** A parameter outside of an expression is text: all calls would lock the same name. */
    private static void requireNoParameter(String literal, Method method) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
        if (known == null) {
            return;
        }
        Matcher mention = MENTION.matcher(literal);
        while (mention.find()) {
            String name = mention.group(1) == null ? mention.group(2) : mention.group(1);
            if (Arrays.asList(known).contains(name)) {
                throw new IllegalArgumentException(
                        "has the parameter " + name + " outside of #{...} in its name, as text"
                                + " that is the same for all calls: \"" + literal + "\": write #{#" + name + "}");
            }
        }
    }

    private static void requireVariables(SpelNode node, Method method) {
        if (node instanceof VariableReference) {
            requireVariable(node.toStringAST().substring(1), method);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireVariables(node.getChild(i), method);
        }
    }

    private static void requireVariable(String name, Method method) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
        Matcher position = POSITION.matcher(name);
        boolean exists = name.equals("root")
                || name.equals("this")
                || (known != null && Arrays.asList(known).contains(name))
                || (position.matches() && Integer.parseInt(position.group(1)) < method.getParameterCount());
        if (!exists) {
            throw new IllegalArgumentException("mentions #" + name + " in its name, but "
                    + (known == null
                            ? "the names of the method's parameters are unknown: compile with -parameters, or write"
                                    + " #a0 for the first"
                            : "the method has no parameter of that name: it has "
                                    + new ArrayList<>(Arrays.asList(known))));
        }
    }

    /** Where a parameter itself is the text, or a part of it, its type decides whether it has one. */
    private static void requireTexts(SpelNode node, Method method) {
        if (node instanceof OpPlus) {
            for (int i = 0; i < node.getChildCount(); i++) {
                requireTexts(node.getChild(i), method);
            }
        } else if (node instanceof VariableReference) {
            Class<?> type = typeOf(node.toStringAST().substring(1), method);
            NameText.UnfitException problem = type == null ? null : NameText.problem(type);
            if (problem != null) {
                throw new IllegalArgumentException(
                        "has " + node.toStringAST() + " in its name, but " + explained(problem), problem);
            }
        }
    }

    /** The type of the parameter of this name, or at this position; null if there is none. */
    private static @Nullable Class<?> typeOf(String variable, Method method) {
        @Nullable String[] known = PARAMETER_NAMES.getParameterNames(method);
        Class<?>[] types = method.getParameterTypes();
        int index = known == null ? -1 : Arrays.asList(known).indexOf(variable);
        if (index < 0 && POSITION.matcher(variable).matches()) {
            index = Integer.parseInt(variable.substring(1));
        }
        return index >= 0 && index < types.length ? types[index] : null;
    }

    private static String explained(NameText.UnfitException unfit) {
        String remedy =
                switch (unfit.problem()) {
                    case ARRAY -> "pass a List, or write #{T(java.util.Arrays).toString(#a0)}";
                    case OPTIONAL -> "write #{#a0.orElseThrow()}";
                    case ZONED -> "write #{#date.toInstant()}";
                    case NO_TEXT -> "name a property of it, such as #{#order.id}, or give the type a toString()";
                    default -> unfit.problem().remedy();
                };
        return unfit.getMessage() + ": " + remedy;
    }

    // ---- for a call

    private String evaluated(List<Expression> parts, Method method, Call call) {
        @Nullable Object[] arguments = call.arguments();
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(
                new Root(method, call.target(), Arrays.asList(arguments)), method, arguments, PARAMETER_NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        context.setTypeConverter(new Texts(context.getTypeConverter()));
        context.addMethodResolver((within, target, name, types) -> {
            if (name.equals("toString") && types.isEmpty()) {
                NameText.requireFit(target.getClass());
            }
            return null;
        });
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            name.append(evaluated(part, method, context));
        }
        return name.toString();
    }

    private static String evaluated(Expression part, Method method, MethodBasedEvaluationContext context) {
        String where = "expression '" + part.getExpressionString() + "' on "
                + method.getDeclaringClass().getName() + "." + method.getName();
        try {
            Object value = part.getValue(context);
            if (value == null) {
                throw new IllegalArgumentException("The name of a lock must not be null: " + where);
            }
            return text(value);
        } catch (ExpressionException | NameText.UnfitException e) {
            if (NestedExceptionUtils.getMostSpecificCause(e) instanceof NameText.UnfitException unfit) {
                throw new IllegalArgumentException(
                        "The name of a lock would not be the same each time: " + where + ": " + explained(unfit), e);
            }
            throw new IllegalArgumentException(
                    "The name of a lock could not be evaluated: " + where + ": " + e.getMessage(), e);
        }
    }

    private static String text(Object value) {
        String text = NameText.of(value);
        // A proxy has the text of its target.
        if (text.startsWith(AopProxyUtils.ultimateTargetClass(value).getName() + "@")
                && !(value instanceof CharSequence)) {
            throw new NameText.UnfitException(value.getClass(), NameText.Problem.NO_TEXT);
        }
        return text;
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
            return value != null && to.equals(TEXT) ? text(value) : others.convertValue(value, from, to);
        }
    }

    /** What {@code #root} is in an expression. */
    record Root(Method method, Object target, List<@Nullable Object> args) {}
}
