package dev.interlock.spring.boot;

import dev.interlock.annotation.SkipObserver;
import dev.interlock.micrometer.InterlockMetrics;
import dev.interlock.micrometer.InterlockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Comparator;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Observes the client for the application's meters and traces, if {@code interlock-micrometer} is on the class path.
 */
@AutoConfiguration(
        before = InterlockAutoConfiguration.class,
        afterName = {
            // Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            // Boot 4
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass(InterlockMetrics.class)
@EnableConfigurationProperties(InterlockProperties.class)
public class InterlockMicrometerAutoConfiguration {

    /** Meters in the application's registry. */
    @Bean
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "interlock.metrics.enabled", matchIfMissing = true)
    InterlockMetrics interlockMetrics(MeterRegistry registry, InterlockProperties properties) {
        InterlockMetrics.Builder metrics = InterlockMetrics.builder(registry);
        if (properties.metrics().histograms()) {
            metrics.histograms();
        }
        List<String> prefixes = properties.metrics().prefixes();
        if (!prefixes.isEmpty()) {
            metrics.lockTag(name -> longestOf(prefixes, name));
        }
        return metrics.build();
    }

    private static String longestOf(List<String> prefixes, String name) {
        return prefixes.stream()
                .filter(name::startsWith)
                .max(Comparator.comparingInt(String::length))
                .orElse("");
    }

    /** Counts the runs of {@code @Locked} methods that are skipped, in the application's registry. */
    @Bean
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    @ConditionalOnProperty(name = "interlock.metrics.enabled", matchIfMissing = true)
    SkipObserver interlockSkippedRuns(MeterRegistry registry) {
        return method ->
                registry.counter("interlock.locked.skipped", "method", method).increment();
    }

    /** Observations in the application's registry, of which its tracer makes spans. */
    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "interlock.metrics.observations", matchIfMissing = true)
    InterlockObservations interlockObservations(ObservationRegistry registry) {
        return new InterlockObservations(registry);
    }
}
