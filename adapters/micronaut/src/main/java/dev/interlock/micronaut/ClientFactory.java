package dev.interlock.micronaut;

import static dev.interlock.micronaut.InterlockConfiguration.duration;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LockObserver;
import dev.interlock.spi.KnownStore;
import dev.interlock.spi.LockStore;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.runtime.ApplicationConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the client of an application that has none of its own. */
@Factory
final class ClientFactory {

    /**
     * Made at the start, so that what is wrong with the configuration is known, but without I/O: the application starts
     * while its store is down. Closed with the application.
     */
    @Context
    @Bean(preDestroy = "close")
    @Requires(missingBeans = Interlock.class)
    Interlock interlock(
            InterlockConfiguration configuration,
            ApplicationConfiguration application,
            @Nullable LockStore store,
            List<LockObserver> observers) {
        try {
            InterlockBuilder builder = builder(configuration.uri(), store)
                    .application(name(configuration, application))
                    .namePrefix(configuration.namePrefix())
                    .storeTimeout(duration("store-timeout", configuration.storeTimeout()))
                    .attemptTimeout(duration("attempt-timeout", configuration.attemptTimeout()))
                    .closeTimeout(duration("close-timeout", configuration.closeTimeout()))
                    .lockOptions(configuration.options());
            observers.forEach(builder::observer);
            return builder.build();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ConfigurationException("Interlock could not be configured: " + e.getMessage(), e);
        }
    }

    private static InterlockBuilder builder(@Nullable String uri, @Nullable LockStore store) {
        if (store != null) {
            return Interlock.builder(store);
        }
        if (uri == null || uri.isBlank()) {
            throw new IllegalStateException("there is no store: set interlock.uri, for example to "
                    + KnownStore.REDIS.example() + ", and add the store's module: " + KnownStore.artifacts("or")
                    + ". The last needs no server: set interlock.uri to " + KnownStore.MEMORY.example()
                    + ". Or define a bean of type LockStore or Interlock");
        }
        return Interlock.builder(uri);
    }

    private static String name(InterlockConfiguration configuration, ApplicationConfiguration application) {
        String own = configuration.application();
        return own == null ? application.getName().orElse("") : own;
    }
}
