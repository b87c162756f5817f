package dev.interlock.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.annotation.Locked;
import dev.interlock.annotation.SkipObserver;
import dev.interlock.memory.MemoryStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A scheduled job of two instances. */
class ScheduledTest {

    @Singleton
    @Requires(property = "job")
    static class Job {

        private final Runs runs;

        Job(Runs runs) {
            this.runs = runs;
        }

        @Scheduled(fixedDelay = "1h")
        @Locked(value = "nightly-report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        void report() throws InterruptedException {
            runs.begun.incrementAndGet();
            runs.end.await();
        }
    }

    /** Those of all instances. */
    static class Runs implements SkipObserver {

        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger skipped = new AtomicInteger();
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void skipped(String method) {
            assertThat(method).isEqualTo(Job.class.getName() + ".report");
            skipped.incrementAndGet();
        }
    }

    @Test
    void jobOfTwoInstances_runsOnOne_andIsSkippedOnTheOther() {
        MemoryStore store = new MemoryStore();
        Runs runs = new Runs();
        Map<String, Object> properties = Map.of("job", "true");
        try (ApplicationContext one = Applications.on(store, properties, runs);
                ApplicationContext other = Applications.on(store, properties, runs)) {
            await().until(() -> runs.begun.get() + runs.skipped.get() == 2);
            assertThat(runs.begun).hasValue(1);
            assertThat(one.isRunning() && other.isRunning()).isTrue();
            runs.end.countDown();
        }
    }
}
