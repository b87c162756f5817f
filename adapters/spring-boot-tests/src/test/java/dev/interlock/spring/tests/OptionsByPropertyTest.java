package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The options of properties are for all kinds of lock; those of a name go before the defaults. */
class OptionsByPropertyTest {

    static class Jobs {

        @Locked(value = "sides", kind = Locked.Kind.READ)
        public String read() {
            return "ran";
        }

        @Locked(value = "sides", kind = Locked.Kind.WRITE)
        public String write() {
            return "ran";
        }

        @Locked(value = "permits", kind = Locked.Kind.PERMITS)
        public String permits() {
            return "ran";
        }

        @Locked(value = "queue", kind = Locked.Kind.FAIR)
        public String inOrder() {
            return "ran";
        }

        @Locked("nested")
        public String nest(Supplier<String> inner) {
            return inner.get();
        }
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withPropertyValues("interlock.uri=memory:", "interlock.defaults.reentrant=false")
            .withBean(Jobs.class);

    @Test
    void defaultThatAKindLacks_isLeftOut() {
        application
                .withPropertyValues(
                        "interlock.defaults.fair=true",
                        "interlock.defaults.hand-over-count=7",
                        "interlock.elections=lead")
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    assertThat(jobs.read()).isEqualTo("ran");
                    assertThat(jobs.write()).isEqualTo("ran");
                    assertThat(jobs.permits()).isEqualTo("ran");
                    assertThat(context.getBean(Interlock.class).lockOptions().isFair())
                            .isTrue();
                });
    }

    /** A fair lock cannot be retained, and the kind of a method says more than a property. */
    @Test
    void retention_isLeftOut_ofFairMethods() {
        for (String property : List.of("interlock.defaults.retained=5s", "interlock.locks.queue.retained=5s")) {
            application.withPropertyValues(property).run(context -> assertThat(
                            context.getBean(Jobs.class).inOrder())
                    .as(property)
                    .isEqualTo("ran"));
        }
    }

    @Test
    void optionOfAName_undoesTheDefault() {
        application.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatThrownBy(() -> jobs.nest(() -> jobs.nest(() -> "ran")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not re-entrant");
        });
        application.withPropertyValues("interlock.locks.nested.reentrant=true").run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.nest(() -> jobs.nest(() -> "ran"))).isEqualTo("ran");
        });
    }
}
