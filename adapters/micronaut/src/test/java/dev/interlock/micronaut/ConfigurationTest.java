package dev.interlock.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The client that an application gets, or has. */
class ConfigurationTest {

    @Factory
    @Requires(property = "own")
    static class Own {

        @Primary
        @Singleton
        @Bean(preDestroy = "close")
        Interlock first() {
            return Interlock.builder("memory:").application("own").build();
        }

        @Singleton
        @Named("second")
        @Bean(preDestroy = "close")
        Interlock second() {
            return Interlock.inMemory();
        }
    }

    @Singleton
    @Requires(property = "own")
    static class OnSecond {

        @Locked(value = "x", client = "second")
        <T> T run(Callable<T> body) throws Exception {
            return body.call();
        }
    }

    @Test
    void properties_areThoseOfTheClient() throws Exception {
        try (ApplicationContext context = Applications.with(
                        "micronaut.application.name", "shop",
                        "interlock.name-prefix", "p:",
                        "interlock.defaults.lease", "20s",
                        "interlock.defaults.max-hold", "2m");
                Lease lease = context.getBean(Interlock.class).lock("x").acquire()) {
            assertThat(lease.name()).isEqualTo("x");
            assertThat(context.getBean(Interlock.class)
                            .lock("x")
                            .inspect()
                            .holders()
                            .get(0)
                            .party()
                            .application())
                    .isEqualTo("shop");
            InterlockConfiguration configuration = context.getBean(InterlockConfiguration.class);
            assertThat(configuration.options().lease().length()).isEqualTo(Duration.ofSeconds(20));
            assertThat(configuration.options().lease().maxHold()).contains(Duration.ofMinutes(2));
            assertThat(configuration.storeTimeout()).isEqualTo("30s");
            assertThat(configuration).hasToString("InterlockConfiguration[uri=***]");
        }
    }

    @Test
    void ownClient_wins_andIsChosenByName() throws Exception {
        try (ApplicationContext context = ApplicationContext.run(Map.of("own", "true", "orders.prefix", "order"))) {
            assertThat(context.getBeansOfType(Interlock.class)).hasSize(2);
            Interlock second = context.getBean(Interlock.class, Qualifiers.byName("second"));
            assertThat(context.getBean(OnSecond.class)
                            .run(() -> second.lock("x").isLocked()))
                    .isTrue();
        }
    }

    @Test
    void noStore_orOneThatCannotBe_endsTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(Applications.PREFIX).close())
                .hasStackTraceContaining("there is no store: set interlock.uri, for example to redis://");
        assertThatThrownBy(() -> Applications.with("interlock.uri", "nothing:").close())
                .hasStackTraceContaining("Interlock could not be configured");
        assertThatThrownBy(() ->
                        Applications.with("interlock.defaults.lease", "30").close())
                .hasStackTraceContaining(
                        "interlock.defaults.lease = \"30\" is no duration: write a number and its unit");
        assertThatThrownBy(
                        () -> Applications.with("interlock.defaults.fixed", "true", "interlock.defaults.max-hold", "2m")
                                .close())
                .hasStackTraceContaining("interlock.defaults: a fixed lease has no max-hold");
    }

    @Test
    void health_saysWhetherTheStoreAnswers() {
        try (ApplicationContext context = Applications.with()) {
            StoreHealth health = context.getBean(StoreHealth.class);
            assertThat(Mono.from(health.getResult())
                            .map(HealthResult::getStatus)
                            .block())
                    .hasToString("UP");
            context.getBean(Interlock.class).close();
            assertThat(Mono.from(health.getResult())
                            .map(HealthResult::getStatus)
                            .block())
                    .hasToString("DOWN");
        }
    }
}
