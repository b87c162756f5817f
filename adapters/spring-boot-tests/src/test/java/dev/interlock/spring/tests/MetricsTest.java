package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.micrometer.InterlockMetrics;
import dev.interlock.micrometer.InterlockObservations;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockMicrometerAutoConfiguration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and observations of the application's client. */
class MetricsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(InterlockAutoConfiguration.class, InterlockMicrometerAutoConfiguration.class))
            .withBean(LockStore.class, MemoryStore::new);

    private final ApplicationContextRunner metered = application.withBean(SimpleMeterRegistry.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        LockStore store() {
            return new MemoryStore();
        }
    }

    /** With the registries that Boot itself configures, and so in its order. */
    @Test
    void applicationWithTheActuator_hasMetersAndObservations() {
        SpringApplication whole = new SpringApplication(Application.class);
        whole.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context =
                // Not used: what is on the class path would have it configured.
                whole.run(
                        "--spring.datasource.url=jdbc:sqlite:" + System.getProperty("java.io.tmpdir") + "/unused.db")) {
            use(context.getBean(Interlock.class));
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("interlock.acquisitions")
                            .tag("outcome", "acquired")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("interlock.acquire").timer().count())
                    .as("the meter of the observations")
                    .isEqualTo(2);
        }
    }

    @Test
    void histogramsAndPrefixes_areProperties() {
        Set<String> histograms = new TreeSet<>();
        MeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                if (Boolean.TRUE.equals(config.isPercentileHistogram())) {
                    histograms.add(id.getName());
                }
                return config;
            }
        });
        application
                .withBean(MeterRegistry.class, () -> registry)
                .withPropertyValues(
                        "interlock.metrics.prefixes=orders:,orders:eu:", "interlock.metrics.histograms=true")
                .run(context -> {
                    use(context.getBean(Interlock.class));
                    assertThat(registry.find("interlock.hold").timers())
                            .extracting(timer -> timer.getId().getTag("lock"))
                            .containsExactlyInAnyOrder("orders:eu:", "other");
                    assertThat(histograms).containsExactly("interlock.hold", "interlock.wait");
                });
    }

    @Test
    void propertiesTurnBothOff() {
        metered.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("interlock.metrics.enabled=false", "interlock.metrics.observations=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InterlockMetrics.class));
    }

    @Test
    void withoutTheModule_theClientIsNotObserved() {
        metered.withClassLoader(new FilteredClassLoader("dev.interlock.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Interlock.class)
                        .doesNotHaveBean(InterlockMetrics.class));
    }

    @Test
    void withoutARegistry_theClientIsNotObserved() {
        application.run(
                context -> assertThat(context).hasSingleBean(Interlock.class).doesNotHaveBean(InterlockMetrics.class));
    }

    @Test
    void observersOfTheApplication_areUsed_andReplaceOurs() {
        MeterRegistry own = new SimpleMeterRegistry();
        metered.withBean("own", InterlockMetrics.class, () -> InterlockMetrics.builder(own)
                        .build())
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(InterlockMetrics.class)
                            .hasSingleBean(InterlockObservations.class);
                    use(context.getBean(Interlock.class));
                    assertThat(own.get("interlock.acquisitions")
                                    .tag("outcome", "acquired")
                                    .counter()
                                    .count())
                            .isEqualTo(2);
                    assertThat(context.getBean(MeterRegistry.class)
                                    .find("interlock.acquisitions")
                                    .counters())
                            .isEmpty();
                });
    }

    private static void use(Interlock client) {
        client.lock("orders:eu:1").run(() -> {});
        client.lock("invoices:1").run(() -> {});
    }
}
