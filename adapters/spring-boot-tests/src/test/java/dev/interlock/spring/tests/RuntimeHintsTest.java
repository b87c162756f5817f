package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.annotation.Locked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

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
        try (GenericApplicationContext application = new GenericApplicationContext()) {
            application.registerBean(Job.class);
            var generated = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(Job.class)), new InMemoryGeneratedFiles(), hints);
            new ApplicationContextAotGenerator().processAheadOfTime(application, generated);
        }
        for (String name : new String[] {"once", "twice", "nightly", "inherited"}) {
            Method method = Job.class.getMethod(name);
            assertThat(RuntimeHintsPredicates.reflection().onMethod(method)).accepts(hints);
        }
    }

    static class Parent {

        @Locked("a")
        public void inherited() {}
    }

    static class Job extends Parent {

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
