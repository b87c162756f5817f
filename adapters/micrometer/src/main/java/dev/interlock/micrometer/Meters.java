package dev.interlock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Registers meters: all of their names and descriptions; and takes them out again. Thread-safe.
 *
 * <pre>
 *   open ----close()---> closed
 * </pre>
 *
 * What is registered after the end is in no registry: a lease may end after its client.
 */
final class Meters {

    private final MeterRegistry registry;
    private final boolean histograms;

    /** Its monitor guards these three. */
    private final List<Meter> registered = new ArrayList<>();

    private final Map<SharedMeters.Key, Supplier<Number>> figures = new HashMap<>();
    private boolean closed;

    /** @param histograms whether timers publish histograms, unless the registry's filters decide otherwise */
    Meters(MeterRegistry registry, boolean histograms) {
        this.registry = registry;
        this.histograms = histograms;
    }

    Counter acquisitions(Tags tags) {
        return counter("interlock.acquisitions", "Calls that asked for a lock, when they ended, by outcome", tags);
    }

    Counter losses(Tags tags) {
        return counter("interlock.losses", "Leases that ended before they were released, by cause", tags);
    }

    Counter handOvers(Tags tags) {
        return counter("interlock.handovers", "Leases that passed straight from one holder to the next", tags);
    }

    Counter renewals(Tags tags) {
        return counter("interlock.renewals", "Renewals of claims, by outcome", tags);
    }

    Timer wait(Tags tags) {
        return timer("interlock.wait", "From the call to the lease, or to its end without one", tags);
    }

    Timer hold(Tags tags) {
        return timer("interlock.hold", "From the grant of a lease to its end", tags);
    }

    void waiters(Tags tags, Supplier<Number> count) {
        gauge("interlock.waiters", "Calls that wait for a lock", tags, count);
    }

    void activeLeases(Tags tags, Supplier<Number> count) {
        gauge("interlock.leases.active", "Leases that are held", tags, count);
    }

    /** Of several clients with the same tags, the last reply to any. */
    void replyAge(Tags tags, Supplier<Number> nanos) {
        String name = "interlock.store.reply.age";
        gauge(name, tags, nanos, ages -> TimeGauge.builder(
                        name,
                        () -> ages.stream()
                                .mapToDouble(age -> age.get().doubleValue())
                                .min()
                                .orElse(Double.NaN),
                        TimeUnit.NANOSECONDS)
                .description("Time since the store's last reply, or since the start")
                .tags(tags)
                .register(registry));
    }

    private Counter counter(String name, String description, Tags tags) {
        return register(target ->
                Counter.builder(name).description(description).tags(tags).register(target));
    }

    private void gauge(String name, String description, Tags tags, Supplier<Number> value) {
        gauge(name, tags, value, counts -> Gauge.builder(name, () -> counts.stream()
                        .mapToDouble(count -> count.get().doubleValue())
                        .sum())
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private synchronized void gauge(
            String name, Tags tags, Supplier<Number> figure, Function<List<Supplier<Number>>, Meter> registering) {
        if (closed) {
            return;
        }
        SharedMeters.Key key = new SharedMeters.Key(name, tags);
        figures.put(key, figure);
        registered.add(SharedMeters.gauge(registry, key, figure, registering));
    }

    private Timer timer(String name, String description, Tags tags) {
        return register(target -> Timer.builder(name)
                .description(description)
                .publishPercentileHistogram(histograms)
                .tags(tags)
                .register(target));
    }

    private synchronized <M extends Meter> M register(Function<MeterRegistry, M> registering) {
        if (closed) {
            // Without a registry of its own, it keeps nothing.
            return registering.apply(new CompositeMeterRegistry());
        }
        M meter = SharedMeters.register(registry, registering);
        registered.add(meter);
        return meter;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Takes all meters out of the registry that no other client has. */
    synchronized void close() {
        closed = true;
        SharedMeters.remove(registry, registered, figures);
        registered.clear();
        figures.clear();
    }
}
