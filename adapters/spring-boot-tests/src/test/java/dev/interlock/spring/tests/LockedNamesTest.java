package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.lang.reflect.Proxy;
import java.nio.CharBuffer;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Names that are made of values: each is the same for equal values, or refused. */
class LockedNamesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory);

    /** No toString. */
    static class Plain {
        public String getId() {
            return "7";
        }
    }

    /** Says what Object does. */
    static class Delegating {
        @Override
        public String toString() {
            return super.toString();
        }
    }

    record Order(String id, Object part) {}

    @SuppressWarnings("ArrayRecordComponent") // its text is its own
    record Named(String id, int[] parts) {
        @Override
        public String toString() {
            return "named " + id;
        }
    }

    enum Color {
        RED
    }

    static class Names {

        private final AtomicInteger ran = new AtomicInteger();

        public int count() {
            return ran.get();
        }

        private String ran(@Nullable Lease lease) {
            ran.incrementAndGet();
            return Objects.requireNonNull(lease).name();
        }

        @Locked("a:#{#value}")
        public String part(Object value, @Nullable Lease lease) {
            return ran(lease);
        }

        @Locked("#{'a:' + #value}")
        public String added(Object value, @Nullable Lease lease) {
            return ran(lease);
        }

        @Locked("#{'a:'.concat(#value)}")
        public String argument(Object value, @Nullable Lease lease) {
            return ran(lease);
        }

        @Locked("a:#{#value.toString()}")
        public String called(Object value, @Nullable Lease lease) {
            return ran(lease);
        }

        @Locked("a:#{T(java.util.Arrays).toString(#ids)} #{#id.orElseThrow()} #{#plain.id}")
        public String asTheMessagesSay(int[] ids, Optional<String> id, Plain plain, @Nullable Lease lease) {
            return ran(lease);
        }
    }

    @SuppressWarnings("UnicodeInCode") // names that parameters may have
    static class Spelled {
        @Locked("#{\"#order:\" + #größe}")
        public String quoted(int größe, @Nullable Lease lease) {
            return Objects.requireNonNull(lease).name();
        }

        @Locked("#{'it''s #1:' + #$id}")
        public String dollar(int $id, @Nullable Lease lease) {
            return Objects.requireNonNull(lease).name();
        }
    }

    /** As the language of expressions has them. */
    @Test
    void textsInQuotes_andNamesOfAllLetters_areUnderstood() {
        application.withBean(Spelled.class).run(context -> {
            Spelled bean = context.getBean(Spelled.class);
            assertThat(bean.quoted(7, null)).isEqualTo("#order:7");
            assertThat(bean.dollar(7, null)).isEqualTo("it's #1:7");
        });
    }

    @SuppressWarnings("JavaUtilDate") // that is what is refused
    static Stream<Arguments> unfit() {
        Runnable lambda = () -> {};
        ProxyFactory byClass = new ProxyFactory(new Plain());
        byClass.setProxyTargetClass(true);
        Object byInterface = Proxy.newProxyInstance(
                LockedNamesTest.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (proxy, method, args) -> method.invoke(lambda, args));
        return Stream.of(
                Arguments.of(new int[] {1}, "array"),
                Arguments.of(new String[] {"x"}, "array"),
                Arguments.of(new Object(), "toString()"),
                Arguments.of(new Plain(), "toString()"),
                Arguments.of(new Delegating(), "toString()"),
                Arguments.of(lambda, "toString()"),
                Arguments.of(byClass.getProxy(), "toString()"),
                Arguments.of(byInterface, "toString()"),
                Arguments.of(List.of("x", new Plain()), "toString()"),
                Arguments.of(List.of(List.of(new int[] {1})), "array"),
                Arguments.of(Arrays.asList("x", null), "null"),
                Arguments.of(new HashSet<>(List.of("x", "y")), "SortedSet"),
                Arguments.of(Map.of("x", "y").values(), "fixed order"),
                Arguments.of(Map.of("x", "y"), "SortedMap"),
                Arguments.of(new TreeMap<>(Map.of("x", new Plain())), "toString()"),
                Arguments.of(Optional.of("x"), "orElseThrow"),
                Arguments.of(Optional.empty(), "orElseThrow"),
                Arguments.of(new Order("x", new int[] {1}), "array"),
                Arguments.of(new Order("x", new Order("y", new Plain())), "toString()"),
                Arguments.of(new Order("x", new HashSet<>()), "SortedSet"),
                Arguments.of(new Date(0), "#{#date.toInstant()}"),
                Arguments.of(new Timestamp(0), "#{#date.toInstant()}"),
                Arguments.of(Calendar.getInstance(), "#{#date.toInstant()}"),
                Arguments.of(List.of(new Date(0)), "toInstant()"),
                Arguments.of(new Order("x", new Timestamp(0)), "toInstant()"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void valueWithoutATextOfItsOwn_isRefusedAtTheCall(Object value, String mentioned) {
        application.withBean(Names.class).run(context -> {
            Names names = context.getBean(Names.class);
            List<Supplier<String>> calls = List.of(
                    () -> names.part(value, null), () -> names.added(value, null), () -> names.argument(value, null));
            for (Supplier<String> call : calls) {
                assertThatThrownBy(call::get)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("would not be the same each time", "#value", mentioned);
            }
            assertThat(names.count()).isZero();
            assertThat(context.getBean(Interlock.class).administration().list("", 10))
                    .isEmpty();
        });
    }

    @Test
    void toStringThatAnExpressionCalls_isRefused_too() {
        application.withBean(Names.class).run(context -> {
            Names names = context.getBean(Names.class);
            assertThat(names.called(List.of(1, 2), null)).isEqualTo("a:[1, 2]");
            assertThatThrownBy(() -> names.called(new Plain(), null)).hasMessageContaining("no toString()");
            assertThatThrownBy(() -> names.called(new int[] {1}, null)).hasMessageContaining("array");
        });
    }

    static Stream<Arguments> fit() {
        return Stream.of(
                Arguments.of("x@7f", "x@7f"),
                Arguments.of(CharBuffer.wrap("x"), "x"),
                Arguments.of(7L, "7"),
                Arguments.of(Color.RED, "RED"),
                Arguments.of(Instant.EPOCH, "1970-01-01T00:00:00Z"),
                Arguments.of(java.sql.Date.valueOf("2026-11-29"), "2026-11-29"),
                Arguments.of(java.sql.Time.valueOf("14:15:00"), "14:15:00"),
                Arguments.of(List.of("y", "x"), "[y, x]"),
                Arguments.of(new TreeSet<>(List.of("y", "x")), "[x, y]"),
                Arguments.of(new TreeMap<>(Map.of("x", 1)), "{x=1}"),
                Arguments.of(new Order("x", List.of()), "Order[id=x, part=[]]"),
                Arguments.of(new Named("x", new int[] {1}), "named x"));
    }

    @ParameterizedTest
    @MethodSource("fit")
    void valueWithATextOfItsOwn_isTheName(Object value, String text) {
        application.withBean(Names.class).run(context -> {
            Names names = context.getBean(Names.class);
            assertThat(names.part(value, null)).isEqualTo("a:" + text);
            assertThat(names.added(value, null)).isEqualTo("a:" + text);
            assertThat(names.argument(value, null)).isEqualTo("a:" + text);
        });
    }

    @Test
    void whatTheMessagesSay_works() {
        application.withBean(Names.class).run(context -> assertThat(context.getBean(Names.class)
                        .asTheMessagesSay(new int[] {1, 2}, Optional.of("x"), new Plain(), null))
                .isEqualTo("a:[1, 2] x 7"));
    }

    // ---- what the type of a parameter decides

    static class OfArray {
        @Locked("a:#{#ids}")
        public void array(String[] ids) {}
    }

    static class OfVarargs {
        @Locked("#{'a:' + #a0}")
        public void varargs(int... ids) {}
    }

    static class OfPlain {
        @Locked("a:#{#plain}")
        public void plain(Plain plain) {}
    }

    static class OfHashSet {
        @SuppressWarnings("NonApiType") // that is what is refused
        @Locked("a:#{#ids}")
        public void set(HashSet<String> ids) {}
    }

    @SuppressWarnings("JavaUtilDate") // that is what is refused
    static class OfDate {
        @Locked("a:#{#date}")
        public void date(Date date) {}
    }

    static class OfCalendar {
        @Locked("a:#{#due}")
        public void calendar(Calendar due) {}
    }

    static class OfOptional {
        @Locked("a:#{#id}")
        public void optional(Optional<String> id) {}
    }

    @Test
    void parameterWhoseTypeHasNoText_isRefusedAtTheStart() {
        assertRefused(OfArray.class, "#ids", "java.lang.String[]", "List");
        assertRefused(OfVarargs.class, "#a0", "int[]");
        assertRefused(OfPlain.class, "#plain", "Plain", "toString()");
        assertRefused(OfHashSet.class, "#ids", "SortedSet");
        assertRefused(OfDate.class, "#date", "java.util.Date", "#{#date.toInstant()}");
        assertRefused(OfCalendar.class, "#due", "java.util.Calendar", "toInstant()");
        assertRefused(OfOptional.class, "#id", "orElseThrow");
    }

    // ---- parameters outside of expressions

    static class OfCacheable {
        @Locked("'order:' + #id")
        public void quoted(String id) {}
    }

    static class OfHash {
        @Locked("order:#id")
        public void hash(String id) {}
    }

    static class OfBraces {
        @Locked("order:{id}")
        public void braces(String id) {}
    }

    static class OfProperty {
        @Locked("order:{order.id}:#{#order.part}")
        public void property(Order order) {}
    }

    static class OfUnknownPlaceholder {
        @Locked("order:${id}")
        public void placeholder(String id) {}
    }

    @Test
    void parameterOutsideOfAnExpression_isRefusedAtTheStart() {
        assertRefused(OfCacheable.class, "quoted", "write #{#id}");
        assertRefused(OfHash.class, "hash", "write #{#id}");
        assertRefused(OfBraces.class, "braces", "write #{#id}");
        assertRefused(OfProperty.class, "property", "write #{#order}");
        assertRefused(OfUnknownPlaceholder.class, "placeholder", "${id}");
    }

    static class OfText {
        @Locked("#1 {x} #ids {ids} #{'#id {id}'} # { } {0} #{#id}")
        public String text(String id, @Nullable Lease lease) {
            return Objects.requireNonNull(lease).name();
        }
    }

    @Test
    void textThatIsNoParameter_isTheName() {
        application.withBean(OfText.class).run(context -> assertThat(
                        context.getBean(OfText.class).text("7", null))
                .isEqualTo("#1 {x} #ids {ids} #id {id} # { } {0} 7"));
    }

    private void assertRefused(Class<?> bean, String... mentioned) {
        application.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContainingAll(mentioned);
        });
    }
}
