package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spring.LockedJob;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What {@link LockedJob} makes of a method: skipped if busy, with both bounds, refused if wrong. */
class LockedJobTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withPropertyValues("interlock.uri=memory:", "job.name=from a property");

    static class Jobs {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicReference<@Nullable Lease> lease = new AtomicReference<>();

        // The application's bean is a proxy, whose own fields are empty.
        int runs() {
            return runs.get();
        }

        String lease() {
            return lease.toString();
        }

        @LockedJob(name = "report")
        public void report(@Nullable Lease own) {
            lease.set(own);
            runs.incrementAndGet();
        }

        @LockedJob(name = "${job.name}", lockAtMostFor = "PT10M", lockAtLeastFor = "1m")
        public void bounded(@Nullable Lease own) {
            lease.set(own);
            runs.incrementAndGet();
        }
    }

    static class Wrong {
        @LockedJob(name = "report", lockAtLeastFor = "1")
        public void report() {}
    }

    static class TooShort {
        @LockedJob(name = "report", lockAtMostFor = "1s", lockAtLeastFor = "5s")
        public void report() {}
    }

    @Test
    void runs_andIsSkippedWhileAnotherHasTheLock() {
        application.withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            DistributedLock lock = context.getBean(Interlock.class).lock("report");

            jobs.report(null);
            assertThat(jobs.runs()).isEqualTo(1);
            assertThat(jobs.lease()).contains("term=renewing(");
            await().atMost(AMPLE).until(() -> !lock.isLocked());

            try (Lease held = lock.acquire()) {
                jobs.report(null);
                assertThat(jobs.runs()).as("skipped").isEqualTo(1);
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    @Test
    void bounds_areThoseOfTheLease() {
        application.withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            jobs.bounded(null);
            jobs.bounded(null);

            assertThat(jobs.runs()).as("the lock stays after the first").isEqualTo(1);
            assertThat(jobs.lease()).contains("term=fixed(PT10M)");
            assertThat(context.getBean(Interlock.class).lock("from a property").isLocked())
                    .isTrue();
        });
    }

    @Test
    void aDurationWithoutAUnit_isRefusedAtTheStart() {
        application.withBean(Wrong.class).run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("atLeast")
                .hasMessageContaining(Wrong.class.getName()));
    }

    @Test
    void aLeastTimeBeyondTheLease_isRefusedAtTheStart() {
        application.withBean(TooShort.class).run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("atLeast = \"5s\", which is longer than lease = \"1s\""));
    }

    static class Extending {
        private final Interlock interlock;
        private Duration left = Duration.ZERO;

        Extending(Interlock interlock) {
            this.interlock = interlock;
        }

        @LockedJob(name = "report", lockAtMostFor = "10m")
        public void report() {
            Lease lease = interlock.lock("report").heldLease();
            lease.ensureValid();
            lease.extend(Duration.ofHours(1));
            left = lease.remaining();
        }

        public Duration left() {
            return left;
        }
    }

    /** In the place of ShedLock's LockExtender and LockAssert. */
    @Test
    void heldLease_isThatOfTheMethod() {
        application.withBean(Extending.class).run(context -> {
            Extending jobs = context.getBean(Extending.class);
            jobs.report();
            assertThat(jobs.left()).isGreaterThan(Duration.ofMinutes(10));
        });
    }
}
