package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.RetryConfiguration;
import org.springframework.retry.annotation.Retryable;

/** Methods with {@link Locked} that Spring Retry calls again: its order decides whether each attempt locks anew. */
class SpringRetryTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory)
            .withBean(Job.class);

    static class Job {

        private final List<Long> tokens = new CopyOnWriteArrayList<>();

        public List<Long> tokens() {
            return tokens;
        }

        @Locked(value = "job", waitAtMost = "0s")
        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        public void fail(@Nullable Lease lease) {
            tokens.add(Objects.requireNonNull(lease).token());
            throw new IllegalStateException("again");
        }
    }

    /** As {@code @EnableRetry(order = ...)} does, without AspectJ. */
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class RetriesOutside extends RetryConfiguration {

        private static final long serialVersionUID = 1L;

        @Override
        public void afterPropertiesSet() throws Exception {
            super.afterPropertiesSet();
            setOrder(Ordered.LOWEST_PRECEDENCE - 200);
        }
    }

    @Test
    void retriesOfASmallerOrder_acquireAnewEachTime() {
        application.withBean(RetriesOutside.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThatThrownBy(() -> job.fail(null)).hasMessage("again");
            assertThat(job.tokens()).hasSize(3).doesNotHaveDuplicates();
            try (Lease held = context.getBean(Interlock.class).lock("job").acquire()) {
                assertThatThrownBy(() -> job.fail(null)).isInstanceOf(LockBusyException.class);
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    @Test
    void retriesOfTheDefaultOrder_areInsideOfTheLock() {
        application.withBean(RetryConfiguration.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThatThrownBy(() -> job.fail(null)).hasMessage("again");
            assertThat(job.tokens()).hasSize(3).containsOnly(job.tokens().get(0));
        });
    }
}
