package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockMicrometerAutoConfiguration;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** The job of the pages that runs on one node: on every store, however far, and seen where it does not run. */
class NightlyJobTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(InterlockAutoConfiguration.class, InterlockMicrometerAutoConfiguration.class))
            .withBean(Jobs.class);

    static class Jobs {
        @Locked(value = "report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP, atLeast = "50ms", lease = "30s")
        public Optional<String> nightly() {
            return Optional.of("ran");
        }

        @Locked(value = "report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("ran");
        }

        @Locked(value = "report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Mono<String> mono() {
            return Mono.just("ran");
        }
    }

    // ---- far stores

    @Test
    void allRunsRun_onAStoreThatIsFarAway() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server)) {
            run(proxy, 60, 3, server.uriAt(proxy.port()));
        }
    }

    @Tag("wide")
    @ParameterizedTest
    @ValueSource(ints = {50, 300})
    void allRunsRun_onRedis(int roundTripMillis) {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server)) {
            run(proxy, roundTripMillis, 10, server.uriAt(proxy.port()));
        }
    }

    @Tag("wide")
    @ParameterizedTest
    @ValueSource(ints = {50, 300})
    void allRunsRun_onPostgres(int roundTripMillis) {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port())) {
            run(proxy, roundTripMillis, 10, server.urlAt(proxy.port()));
        }
    }

    private void run(FaultProxy proxy, int roundTripMillis, int runs, String uri) {
        proxy.latency(Duration.ofMillis(roundTripMillis / 2));
        application.withPropertyValues("interlock.uri=" + uri).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Interlock client = context.getBean(Interlock.class);
            for (int i = 0; i < runs; i++) {
                assertThat(jobs.nightly()).as("run %d", i).isPresent();
                await().atMost(AMPLE).until(() -> !client.lock("report").isLocked());
            }
        });
    }

    // ---- what is skipped shows

    /** Collects what the interceptor logs. */
    private static final class Lines extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger(Locked.class.getName());
        private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

        Lines() {
            logger.addHandler(this);
        }

        List<String> skips() {
            return lines.stream()
                    .filter(line -> line.startsWith("INFO Skipped"))
                    .toList();
        }

        @Override
        public void publish(LogRecord line) {
            lines.add((line.getLevel().equals(Level.INFO) ? "INFO " : "") + line.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    @Test
    void skippedRuns_areLoggedOncePerChange_andCounted() {
        try (Lines log = new Lines()) {
            MemoryStore store = new MemoryStore();
            MeterRegistry registry = new SimpleMeterRegistry();
            application
                    .withBean(LockStore.class, () -> store)
                    .withBean(MeterRegistry.class, () -> registry)
                    .run(context -> {
                        Jobs jobs = context.getBean(Jobs.class);
                        var lock = context.getBean(Interlock.class).lock("report");
                        for (int round = 1; round <= 2; round++) {
                            Lease lease = lock.acquire();
                            assertSkips(jobs);
                            assertSkips(jobs);
                            assertThat(log.skips()).hasSize(3 * round);
                            lease.close();
                            assertThat(jobs.stage().toCompletableFuture().join())
                                    .isEqualTo("ran");
                            await().atMost(AMPLE).until(() -> !lock.isLocked());
                            assertThat(jobs.mono().block()).isEqualTo("ran");
                            await().atMost(AMPLE).until(() -> !lock.isLocked());
                            assertThat(jobs.nightly()).isPresent();
                            await().atMost(AMPLE).until(() -> !lock.isLocked());
                        }
                        assertThat(log.skips())
                                .first()
                                .asString()
                                .contains("[report]", Jobs.class.getName() + ".nightly");
                        for (String method : List.of("nightly", "stage", "mono")) {
                            assertThat(registry.get("interlock.locked.skipped")
                                            .tag("method", Jobs.class.getName() + "." + method)
                                            .counter()
                                            .count())
                                    .isEqualTo(4);
                        }
                    });
        }
    }

    private static void assertSkips(Jobs jobs) {
        assertThat(jobs.nightly()).isEmpty();
        assertThat(jobs.stage().toCompletableFuture().join()).isNull();
        assertThat(jobs.mono().block()).isNull();
    }
}
