package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Spring 7's {@code @Retryable} is outside of the lock: each attempt acquires it anew. */
class RetryableTest {

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Retries {}

    static class Job {

        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        public List<Long> tokens() {
            return tokens;
        }

        @Locked("job")
        @Retryable(maxRetries = 2, delay = 1)
        public void fail(Lease lease) {
            tokens.add(lease.token());
            throw new IllegalStateException("again");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the lease is filled in
    void eachAttempt_acquiresAnew() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withBean(Interlock.class, Interlock::inMemory)
                .withUserConfiguration(Retries.class, Job.class)
                .run(context -> {
                    Job job = context.getBean(Job.class);
                    assertThatThrownBy(() -> job.fail(null)).hasMessage("again");
                    assertThat(job.tokens()).hasSize(3).doesNotHaveDuplicates();
                });
    }
}
