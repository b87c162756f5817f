package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The actuator's endpoint {@code locks}, the health of the store, and what {@code info} shows. */
@AutoConfiguration(
        after = InterlockAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration"
        })
@ConditionalOnBean(Interlock.class)
@ConditionalOnClass(Endpoint.class)
public class InterlockActuatorAutoConfiguration {

    /** Who holds and who waits. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    LocksEndpoint interlockLocksEndpoint(Map<String, Interlock> clients) {
        return new LocksEndpoint(clients);
    }

    /** The same over HTTP. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LocksEndpoint.class)
    @ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
    LocksWebExtension interlockLocksWebExtension(LocksEndpoint endpoint) {
        return new LocksWebExtension(endpoint);
    }

    /** Which version, and which kind of store. */
    @Bean
    @ConditionalOnEnabledInfoContributor("interlock")
    InterlockInfo interlockInfoContributor(
            ObjectProvider<ChosenStore> store, InterlockProperties properties, Environment environment) {
        return new InterlockInfo(
                store.getIfAvailable(), InterlockAutoConfiguration.application(properties, environment));
    }

    /** Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.interlock.enabled", matchIfMissing = true)
    static class Boot3Health {
        @Bean
        org.springframework.boot.actuate.health.HealthIndicator interlockHealthIndicator(
                Map<String, Interlock> clients, LeaseWatch watch) {
            StoreHealth health = new StoreHealth(clients, watch);
            return () -> {
                StoreHealth.Finding finding = health.look();
                return (finding.up()
                                ? org.springframework.boot.actuate.health.Health.up()
                                : org.springframework.boot.actuate.health.Health.down())
                        .withDetails(finding.details())
                        .build();
            };
        }
    }

    /** Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.interlock.enabled", matchIfMissing = true)
    static class Boot4Health {
        @Bean
        org.springframework.boot.health.contributor.HealthIndicator interlockHealthIndicator(
                Map<String, Interlock> clients, LeaseWatch watch) {
            StoreHealth health = new StoreHealth(clients, watch);
            return () -> {
                StoreHealth.Finding finding = health.look();
                return (finding.up()
                                ? org.springframework.boot.health.contributor.Health.up()
                                : org.springframework.boot.health.contributor.Health.down())
                        .withDetails(finding.details())
                        .build();
            };
        }
    }
}
