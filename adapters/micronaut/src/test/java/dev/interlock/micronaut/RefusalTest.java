package dev.interlock.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Methods that cannot be locked, and names that cannot be made. */
class RefusalTest {

    @Singleton
    @Requires(property = "refused", value = "parameter")
    static class OfParameter {
        @Locked("order:{order}")
        void run(String id) {}
    }

    @Singleton
    @Requires(property = "refused", value = "property")
    static class OfProperty {
        @Locked("order:{id.number}")
        void run(String id) {}
    }

    @Singleton
    @Requires(property = "refused", value = "brace")
    static class OfBrace {
        @Locked("order:{id")
        void run(String id) {}
    }

    @Singleton
    @Requires(property = "refused", value = "text")
    static class OfText {
        @Locked("order:{ids}")
        void run(String[] ids) {}
    }

    @Singleton
    @Requires(property = "refused", value = "placeholder")
    static class OfPlaceholder {
        @Locked("${gone}:{id}")
        void run(String id) {}
    }

    @Singleton
    @Requires(property = "refused", value = "client")
    static class OfClient {
        @Locked(value = "x", client = "gone")
        void run() {}
    }

    @Singleton
    @Requires(property = "refused", value = "future")
    static class OfFuture {
        @Locked("x")
        @Nullable
        Future<String> run() {
            return null;
        }
    }

    @Singleton
    @Requires(property = "refused", value = "expression")
    static class OfExpression {
        @Locked("order:#{#id}")
        void run(String id) {}
    }

    @Singleton
    static class Named {
        @Locked("order:{id}")
        void run(Object id) {}
    }

    private static void assertRefused(String refused, String... mentioned) {
        assertThatThrownBy(() -> Applications.with("refused", refused).close())
                .satisfies(failure -> assertThat(failure).hasStackTraceContaining("@Locked on "))
                .satisfies(failure -> {
                    for (String text : mentioned) {
                        assertThat(failure).hasStackTraceContaining(text);
                    }
                });
    }

    @Test
    void methodThatCannotBeLocked_endsTheStart() {
        assertRefused("parameter", "OfParameter.run mentions {order} in its name", "it has [id]");
        assertRefused("property", "OfProperty.run mentions {id.number}", "no public method number() or getNumber()");
        assertRefused("brace", "OfBrace.run has a name that cannot be parsed, with a brace", "order:{id");
        assertRefused("text", "OfText.run has {ids} in its name", "pass a List");
        assertRefused("placeholder", "OfPlaceholder.run", "gone");
        assertRefused("client", "OfClient.run has client = \"gone\"");
        assertRefused("expression", "OfExpression.run is beside an expression", "write {order} or {order.id}");
        assertRefused("future", "OfFuture.run is on a method that returns a java.util.concurrent.Future");
    }

    @Test
    void nameWithoutAText_isRefusedByTheCall() {
        try (ApplicationContext context = Applications.with()) {
            Named named = context.getBean(Named.class);
            assertThatThrownBy(() -> named.run(new Object()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("would not be the same each time: {id} on " + Named.class.getName() + ".run");
            assertThatThrownBy(() -> context.getBean(Orders.class).leaseOf(new Orders.Order(nothing()), null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must not be null: {order.id}");
        }
    }

    @SuppressWarnings("NullAway")
    private static String nothing() {
        return null;
    }

    @Test
    void beanThatWasCompiledWithoutTheMapper_isRefused() {
        // Micronaut's compiler does not see it.
        @SuppressWarnings("UnusedMethod")
        class Plain {
            @Locked("x")
            void run() {}
        }
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(Map.of("interlock.uri", "memory:", "orders.prefix", "order"))
                .beanDefinitions(RuntimeBeanDefinition.builder(Plain.class, Plain::new)
                        .singleton(true)
                        .build())
                .start()) {
            assertThatThrownBy(() -> context.getBean(Plain.class))
                    .hasStackTraceContaining(LockedMethodException.class.getName())
                    .hasStackTraceContaining("Plain.run would have no effect: compile it with interlock-micronaut");
        }
    }
}
