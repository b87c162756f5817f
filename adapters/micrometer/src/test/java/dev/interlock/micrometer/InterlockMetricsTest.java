package dev.interlock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters of a real client, and how many time series there are. */
@Timeout(300)
class InterlockMetricsTest {

    private static final Mode EXCLUSIVE = new Mode.Exclusive(false);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final InterlockMetrics metrics = InterlockMetrics.builder(registry).build();
    private final MemoryStore store = new MemoryStore();
    private final Interlock client = Interlock.builder(store).observer(metrics).build();
    private final Interlock other = Interlock.builder(store.session()).build();
    // A hand-over must not go by way of the store because the machine stood still.
    private final DistributedLock lock = client.lock(
            "orders:42",
            LockOptions.builder().handOver(1000, Duration.ofDays(1)).build());

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    @Test
    void acquisitions_areCountedByOutcome() throws Exception {
        Lease held = other.lock("orders:42").acquire();
        assertThat(lock.tryLock()).isFalse();
        FutureTask<?> call = new FutureTask<>(lock::acquire);
        Thread caller = new Thread(call);
        caller.start();
        await().until(() -> gauge("interlock.waiters") == 1);
        caller.interrupt();
        assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
        lock.acquireAsync().toCompletableFuture().cancel(false);
        held.close();
        lock.run(() -> {});
        Interlock closed = Interlock.builder(store.session()).observer(metrics).build();
        closed.close();
        assertThatThrownBy(closed.lock("orders:42")::lock).isInstanceOf(IllegalStateException.class);

        for (String outcome : List.of("busy", "interrupted", "cancelled", "acquired", "failed")) {
            assertThat(counter("interlock.acquisitions", "outcome", outcome))
                    .as(outcome)
                    .isEqualTo(1);
            assertThat(registry.get("interlock.wait")
                            .tag("outcome", outcome)
                            .timer()
                            .count())
                    .as(outcome)
                    .isEqualTo(1);
        }
        assertThat(counter("interlock.acquisitions", "outcome", "unavailable")).isZero();
        assertThat(gauge("interlock.waiters")).isZero();
    }

    // ---- the meters go with their client

    @Test
    void closedClient_leavesNothingInTheRegistry() throws Exception {
        Lease held = lock.acquire();
        lock.tryLock();
        client.close();
        assertThat(registry.getMeters()).isEmpty();
        // What ends after its client is not registered again.
        held.close();
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
        client.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    /** Micrometer would keep the first client's gauges for both, and the first one's age would grow for ever. */
    @Test
    void secondClientInTheRegistry_isSeen_besidesTheFirstAndAfterIt() throws Exception {
        lock.lock();
        clock.add(Duration.ofSeconds(20));
        Interlock second = Interlock.builder(store.session())
                .observer(InterlockMetrics.builder(registry).build())
                .build();
        Lease held = second.lock("orders:43").acquire();
        assertThat(gauge("interlock.leases.active")).isEqualTo(2);
        assertThat(registry.get("interlock.store.reply.age").timeGauge().value(TimeUnit.SECONDS))
                .isZero();
        lock.unlock();
        client.close();
        assertThat(gauge("interlock.leases.active")).isEqualTo(1);
        clock.add(Duration.ofSeconds(20));
        assertThat(registry.get("interlock.store.reply.age").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(20);
        held.close();
        assertThat(counter("interlock.acquisitions", "outcome", "acquired")).isEqualTo(2);
        second.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void metricsOfTwoClients_goWithTheLast_andComeBackWithTheNext() {
        Interlock second = Interlock.builder(store.session()).observer(metrics).build();
        client.close();
        assertThat(registry.getMeters()).isNotEmpty();
        second.close();
        assertThat(registry.getMeters()).isEmpty();
        clock.add(Duration.ofSeconds(20));
        try (Interlock third =
                Interlock.builder(store.session()).observer(metrics).build()) {
            third.lock("orders:44").run(() -> {});
            assertThat(counter("interlock.acquisitions", "outcome", "acquired")).isEqualTo(1);
            assertThat(registry.get("interlock.store.reply.age").timeGauge().value(TimeUnit.SECONDS))
                    .isZero();
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void leasesAndWaiters_areCountedWhileTheyLast() {
        Lease held = lock.acquireAsync().toCompletableFuture().join();
        CompletableFuture<Lease> next = lock.acquireAsync().toCompletableFuture();
        assertThat(gauge("interlock.leases.active")).isEqualTo(1);
        assertThat(gauge("interlock.waiters")).isEqualTo(1);
        held.close();
        Lease second = next.join();
        assertThat(gauge("interlock.leases.active")).isEqualTo(1);
        assertThat(gauge("interlock.waiters")).isZero();
        assertThat(counter("interlock.handovers", "kind", "lock")).isEqualTo(1);
        second.close();
        assertThat(gauge("interlock.leases.active")).isZero();
    }

    @Test
    void lostLease_isCountedByItsCause_andOnce() {
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(50)));
        await().until(() -> counter("interlock.losses", "cause", "expired") == 1);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(counter("interlock.losses", "cause", "expired")).isEqualTo(1);
        assertThat(counter("interlock.losses", "cause", "taken")).isZero();
        assertThat(gauge("interlock.leases.active")).isZero();
        assertThat(registry.get("interlock.hold").tag("outcome", "lost").timer().count())
                .isEqualTo(1);
    }

    @Test
    void renewals_areCounted() {
        Lease held = lock.acquireAsync(LeaseTerm.renewing(Duration.ofSeconds(6)))
                .toCompletableFuture()
                .join();
        await().until(() -> counter("interlock.renewals", "outcome", "renewed") > 0);
        assertThat(counter("interlock.renewals", "outcome", "failed")).isZero();
        held.close();
    }

    @Test
    void kinds_haveSeriesOfTheirOwn() throws InterruptedException {
        client.readWriteLock("a").readLock().run(() -> {});
        client.readWriteLock("a").writeLock().run(() -> {});
        client.semaphore("s", 2).acquire().close();
        client.latch("l").await();
        assertThat(registry.find("interlock.hold").timers())
                .extracting(timer -> timer.getId().getTag("kind") + " " + timer.count())
                .containsExactlyInAnyOrder("read 1", "write 1", "semaphore 1", "latch 1");
    }

    @Test
    void timers_haveTheTimesThatTheClientMeasured() {
        LockObserver.Acquisition acquisition = Exercise.begin(metrics, "a", LockKind.LOCK, EXCLUSIVE);
        acquisition.acquired(1024, LeaseOrigin.STORE, Duration.ofMillis(20));
        acquisition.ended(ReleaseOutcome.RELEASED, Duration.ofSeconds(3));
        assertThat(registry.get("interlock.wait").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(registry.get("interlock.hold").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(3000);
    }

    @Test
    void ageOfTheLastReply_growsUntilTheNext() {
        clock.add(Duration.ofSeconds(7));
        assertThat(replyAge()).as("no reply yet").isEqualTo(7);
        lock.run(() -> {});
        assertThat(replyAge()).isZero();
        clock.add(Duration.ofSeconds(2));
        assertThat(replyAge()).isEqualTo(2);
    }

    // ---- how many series

    @Test
    void aMillionNames_areAsManySeriesAsOne() {
        Exercise.all(metrics, "orders:0");
        int series = registry.getMeters().size();
        for (int i = 0; i < 1_000_000; i++) {
            hold(metrics, "orders:" + i);
        }
        assertThat(registry.getMeters()).hasSize(series);
        assertThat(registry.get("interlock.hold")
                        .tags("kind", "lock", "outcome", "released")
                        .timer()
                        .count())
                .isGreaterThan(1_000_000);
    }

    @Test
    void aMillionNames_areABoundedNumberOfSeries_evenIfEachIsATag() {
        InterlockMetrics each = InterlockMetrics.builder(registry)
                .tags(Tags.of("client", "each"))
                .lockTag(name -> name)
                .build();
        for (int i = 0; i < 1_000_000; i++) {
            hold(each, "orders:" + i);
            each.renewed("orders:" + i, "client:1");
        }
        assertThat(registry.find("interlock.leases.active").tagKeys("lock").gauges())
                .hasSize(InterlockMetrics.MOST_LOCK_TAGS + 1)
                .extracting(gauge -> gauge.getId().getTag("lock"))
                .contains("orders:0", "other");
        assertThat(registry.get("interlock.acquisitions")
                        .tags("lock", "other", "outcome", "acquired")
                        .counter()
                        .count())
                .isEqualTo(1_000_000 - InterlockMetrics.MOST_LOCK_TAGS);
        assertThat(registry.get("interlock.renewals")
                        .tags("lock", "other", "outcome", "renewed")
                        .counter()
                        .count())
                .isEqualTo(1_000_000 - InterlockMetrics.MOST_LOCK_TAGS);
    }

    @Test
    void lockTag_isTheGroupOfTheName_andOtherWithoutOne() {
        InterlockMetrics grouped = InterlockMetrics.builder(registry)
                .tags(Tags.of("client", "grouped"))
                .lockTag(name -> name.startsWith("orders:") ? "orders" : name.isBlank() ? "" : null)
                .build();
        hold(grouped, "orders:1");
        hold(grouped, "orders:2");
        hold(grouped, "invoices:1");
        hold(grouped, " ");
        assertThat(registry.find("interlock.hold").tag("client", "grouped").timers())
                .extracting(timer -> timer.getId().getTag("lock") + " " + timer.count())
                .containsExactlyInAnyOrder("orders 2", "other 2");
    }

    /** The client logs it, and the gauges are right afterwards. */
    @Test
    void lockTagThatThrows_leavesTheLockAlone() {
        try (Interlock broken = Interlock.builder(new MemoryStore())
                .observer(InterlockMetrics.builder(registry)
                        .tags(Tags.of("client", "broken"))
                        .lockTag(name -> name.substring(100))
                        .build())
                .build()) {
            broken.lock("a").run(() -> {});
        }
        assertThat(registry.find("interlock.acquisitions")
                        .tag("client", "broken")
                        .counters())
                .isEmpty();
    }

    // ---- histograms

    @Test
    void histograms_areThereIfAskedFor() {
        assertThat(scrape(false, null)).doesNotContain("_bucket{");
        assertThat(scrape(true, null)).contains("interlock_wait_seconds_bucket{", "interlock_hold_seconds_bucket{");
    }

    @Test
    void filterOfTheRegistry_hasTheLastWord() {
        MeterFilter holds = new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("interlock.hold")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        };
        assertThat(scrape(false, holds))
                .contains("interlock_hold_seconds_bucket{")
                .doesNotContain("interlock_wait_seconds_bucket{");
    }

    private static String scrape(boolean histograms, @Nullable MeterFilter filter) {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        if (filter != null) {
            prometheus.config().meterFilter(filter);
        }
        InterlockMetrics.Builder builder = InterlockMetrics.builder(prometheus);
        hold((histograms ? builder.histograms() : builder).build(), "a");
        return prometheus.scrape();
    }

    private static void hold(LockObserver observer, String name) {
        LockObserver.Acquisition acquisition = Exercise.begin(observer, name, LockKind.LOCK, EXCLUSIVE);
        acquisition.acquired(1024, LeaseOrigin.STORE, Exercise.WAITED);
        acquisition.ended(ReleaseOutcome.RELEASED, Exercise.HELD);
    }

    private double counter(String name, String tag, String value) {
        return registry.find(name).tag(tag, value).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private double gauge(String name) {
        return registry.find(name).gauges().stream().mapToDouble(Gauge::value).sum();
    }

    private double replyAge() {
        return registry.get("interlock.store.reply.age").timeGauge().value(TimeUnit.SECONDS);
    }
}
