package dev.interlock.test;

import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockBuilderCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * With {@code interlock.uri=memory:} and this module on the class path of the tests, the client of the application has
 * a store that a test controls: {@link Locks}, {@link TestStore} and {@link TestClock} are beans, and with
 * {@link InterlockTest} also parameters of a test, after which nothing may be held.
 *
 * <p>The client waits as briefly for a store that says nothing as without Spring, unless
 * {@code interlock.store-timeout} or {@code interlock.attempt-timeout} is set.
 */
@AutoConfiguration(before = InterlockAutoConfiguration.class)
@ConditionalOnClass(InterlockAutoConfiguration.class)
@ConditionalOnProperty(name = "interlock.uri", havingValue = Fixture.MEMORY)
public class InterlockTestAutoConfiguration {

    /** Closed after the client. */
    @Bean
    Fixture interlockTestFixture(Environment environment) {
        return Fixture.inMemory(environment.getProperty("interlock.name-prefix", ""));
    }

    /** For the client of the application. */
    @Bean
    @Primary
    LockStore interlockTestLockStore(Fixture fixture) {
        return fixture.newStore();
    }

    /** Has the client go by the clock of the test. */
    @Bean
    InterlockBuilderCustomizer interlockTestCustomizer(Fixture fixture, Environment environment) {
        return builder -> {
            fixture.prepared(builder).whenBuilt(fixture::use);
            if (!environment.containsProperty("interlock.store-timeout")) {
                builder.storeTimeout(Fixture.STORE_TIMEOUT);
            }
            if (!environment.containsProperty("interlock.attempt-timeout")) {
                builder.attemptTimeout(Fixture.ATTEMPT_TIMEOUT);
            }
        };
    }

    /** What happens to the locks of the application. */
    @Bean
    Locks interlockTestLocks(Fixture fixture) {
        return fixture.locks();
    }

    /** How the store behaves. */
    @Bean
    TestStore interlockTestStore(Fixture fixture) {
        return fixture.store();
    }

    /** The clock of the store and of the client. */
    @Bean
    TestClock interlockTestClock(Fixture fixture) {
        return fixture.clock();
    }
}
