package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spring.Locked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What Spring passes on to a native image. It does not show that an image can be built. */
class RuntimeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @Test
    void typesWhosePresenceDecides_areRegistered() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(registrar -> registrar.getClass().getName().startsWith("dev.interlock."))
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
        for (String type : new String[] {
            "org.springframework.transaction.support.TransactionSynchronizationManager", "reactor.core.publisher.Flux"
        }) {
            assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
                    .accepts(hints);
        }
    }

    @Test
    @SuppressWarnings("removal") // what comes instead is not in every line
    void lockedMethods_areRegistered() throws NoSuchMethodException {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Job.class);
        for (String name : new String[] {"once", "twice", "nightly"}) {
            Method method = Job.class.getDeclaredMethod(name);
            assertThat(RuntimeHintsPredicates.reflection().onMethod(method)).accepts(hints);
        }
    }

    static class Job {

        @Locked("a")
        public void once() {}

        @Locked("a")
        @Locked("b")
        public void twice() {}

        @Nightly
        public void nightly() {}
    }

    @Locked("nightly")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nightly {}
}
