package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockFailureAnalyzer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Durations have a unit: a number alone is refused, wherever a duration is written as text. */
class DurationsTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class));

    static class Waiting {
        @Locked(value = "x", waitAtMost = "${duration}")
        public void run() {}
    }

    static class Leasing {
        @Locked(value = "x", lease = "${duration}")
        public void run() {}
    }

    static class Lasting {
        @Locked(value = "x", atLeast = "${duration}")
        public void run() {}
    }

    @Test
    void numberInAnAnnotation_isRefused() {
        for (Class<?> bean : new Class<?>[] {Waiting.class, Leasing.class, Lasting.class}) {
            var annotated =
                    application.withBean(Interlock.class, Interlock::inMemory).withBean(bean);
            for (String number : new String[] {"5", "0", "+5", "-5"}) {
                annotated.withPropertyValues("duration=" + number).run(context -> assertThat(
                                context.getStartupFailure())
                        .rootCause()
                        .hasMessageContainingAll("a number without a unit", number + "s", number + "ms"));
            }
            annotated.withPropertyValues("duration=5s").run(context -> assertThat(context)
                    .hasNotFailed());
        }
    }

    @Test
    void negativeWait_isRefused() {
        application
                .withBean(Interlock.class, Interlock::inMemory)
                .withBean(Waiting.class)
                .withPropertyValues("duration=-5s")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("negative wait"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store-timeout",
                "attempt-timeout",
                "poll-cap",
                "close-timeout",
                "defaults.lease",
                "defaults.max-hold",
                "defaults.hand-over-time",
                "defaults.retained",
                "defaults.lock-delay",
                "locks.x.lease"
            })
    void numberInAProperty_isRefused(String property) {
        var configured = application.withPropertyValues("interlock.uri=memory:");
        configured.withPropertyValues("interlock." + property + "=30").run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            FailureAnalysis analysis = Objects.requireNonNull(new InterlockFailureAnalyzer().analyze(failure));
            assertThat(analysis.getDescription()).contains("interlock." + property, "without a unit: 30");
            assertThat(analysis.getAction()).contains("30s", "30ms");
        });
        configured.withPropertyValues("interlock." + property + "=30s").run(context -> assertThat(context)
                .hasNotFailed());
    }
}
