package dev.interlock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans that OpenTelemetry exports, and their parents. */
@Timeout(300)
class InterlockObservationsTest {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final Tracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final MemoryStore store = new MemoryStore();
    private final Interlock client = Interlock.builder(store)
            .observer(new InterlockObservations(registry))
            .build();
    // A hand-over must not go by way of the store because the machine stood still.
    private final DistributedLock lock = client.lock(
            "orders:42",
            LockOptions.builder().handOver(1000, Duration.ofDays(1)).build());

    InterlockObservationsTest() {
        registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    @AfterEach
    void close() {
        client.close();
        provider.close();
    }

    @Test
    void waitAndHold_areChildrenOfTheCaller() {
        within("request", () -> {
            lock.lock();
            assertThat(registry.getCurrentObservation())
                    .as("the caller's stays the current one")
                    .extracting(current -> current.getContext().getName())
                    .isEqualTo("request");
            lock.unlock();
        });
        SpanData request = span("request");
        assertThat(span("acquire lock").getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(span("hold lock").getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(attributes(span("acquire lock")))
                .containsExactlyInAnyOrder(
                        "interlock.kind=lock", "interlock.name=orders:42", "interlock.outcome=acquired");
        assertThat(attributes(span("hold lock")))
                .contains(
                        "interlock.kind=lock",
                        "interlock.name=orders:42",
                        "interlock.origin=store",
                        "interlock.outcome=released",
                        "interlock.cause=none")
                .anyMatch(attribute -> attribute.startsWith("interlock.token="));
    }

    /** It gets the lease on the thread of another request, which has its own span there. */
    @Test
    void asyncCall_keepsItsParent_onTheThreadOfAnother() throws Exception {
        Lease held = lock.acquire();
        exporter.reset();
        CompletableFuture<Lease> call = new CompletableFuture<>();
        within("first", () -> lock.acquireAsync().thenAccept(call::complete));
        onThread(() -> within("second", held::close));
        onThread(() -> within("third", () -> call.join().close()));

        String first = span("first").getSpanId();
        assertThat(span("acquire lock").getParentSpanId()).isEqualTo(first);
        List<SpanData> holds = spans("hold lock");
        assertThat(holds).hasSize(2);
        assertThat(holds.get(1).getParentSpanId()).isEqualTo(first);
        assertThat(attributes(holds.get(1))).contains("interlock.origin=hand_over");
    }

    @Test
    void callWithoutAParent_isOneTrace() throws Exception {
        lock.acquire().close();
        assertThat(span("acquire lock").getParentSpanContext().isValid()).isFalse();
        assertThat(span("hold lock").getParentSpanId())
                .isEqualTo(span("acquire lock").getSpanId());
        assertThat(span("hold lock").getTraceId())
                .isEqualTo(span("acquire lock").getTraceId());
    }

    @Test
    void spanOfTheTracerAlone_isTheParentOfTheWait() throws Exception {
        Span manual = tracer.nextSpan().name("manual").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(manual)) {
            assertThat(scope).isNotNull();
            lock.acquire().close();
        } finally {
            manual.end();
        }
        assertThat(span("acquire lock").getParentSpanId())
                .isEqualTo(span("manual").getSpanId());
        assertThat(span("hold lock").getTraceId()).isEqualTo(span("manual").getTraceId());
    }

    @Test
    void lostLease_isAnError() {
        lock.lock(LeaseTerm.fixed(Duration.ofMillis(50)));
        await().until(() -> spans("hold lock").size() == 1);
        assertThat(span("hold lock").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attributes(span("hold lock"))).contains("interlock.outcome=lost", "interlock.cause=expired");
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(spans("hold lock")).hasSize(1);
    }

    @Test
    void busyLock_isNoError_andAnInterruptIsOne() throws Exception {
        try (Interlock other = Interlock.builder(store.session()).build()) {
            other.lock("orders:42").acquire();
            assertThat(lock.tryLock()).isFalse();
            assertThat(span("acquire lock").getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
            assertThat(attributes(span("acquire lock"))).contains("interlock.outcome=busy");
            exporter.reset();

            FutureTask<?> call = new FutureTask<>(lock::acquire);
            Thread caller = new Thread(call);
            caller.start();
            await().until(() -> !lock.inspect().waiters().isEmpty());
            caller.interrupt();
            assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
        }
        assertThat(span("acquire lock").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attributes(span("acquire lock"))).contains("interlock.outcome=interrupted");
        assertThat(spans("hold lock")).isEmpty();
    }

    @Test
    void sidesOfAReadWriteLock_areNamed() {
        client.readWriteLock("a").readLock().run(() -> {});
        assertThat(span("acquire read").getName()).isEqualTo("acquire read");
        assertThat(span("hold read").getName()).isEqualTo("hold read");
    }

    @Test
    void registryWithoutHandlers_costsNoObservation() {
        assertThat(new InterlockObservations(ObservationRegistry.create())
                        .acquiring("a", LockKind.LOCK, new Mode.Exclusive(false)))
                .isNull();
    }

    /** Boot makes meters of observations. The name of the lock is no tag of them. */
    @Test
    void metersOfObservations_areBounded_apartFromInterlockMetrics() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters.throwExceptionOnRegistrationFailure();
        ObservationRegistry observed = ObservationRegistry.create();
        observed.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        InterlockObservations observations = new InterlockObservations(observed);
        InterlockMetrics metrics = InterlockMetrics.builder(meters).build();
        Exercise.all(observations, "orders:0");
        Exercise.all(metrics, "orders:0");
        int series = meters.getMeters().size();
        for (int i = 0; i < 100; i++) {
            Exercise.all(observations, "orders:" + i);
        }
        assertThat(meters.getMeters()).hasSize(series);
        assertThat(meters.scrape()).contains("interlock_acquire_seconds_count{", "interlock_lease_seconds_count{");
    }

    private void within(String name, Runnable work) {
        Observation.createNotStarted(name, registry).observe(work);
    }

    private static void onThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData span(String name) {
        List<SpanData> found = spans(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private static List<String> attributes(SpanData span) {
        return span.getAttributes().asMap().entrySet().stream()
                .map(attribute -> ((AttributeKey<?>) attribute.getKey()).getKey() + "=" + attribute.getValue())
                .toList();
    }
}
