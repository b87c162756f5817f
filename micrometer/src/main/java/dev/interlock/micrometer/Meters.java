package dev.interlock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Registers meters: all of their names and descriptions. Thread-safe. */
final class Meters {

    private final MeterRegistry registry;
    private final boolean histograms;

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

    void replyAge(Tags tags, Supplier<Number> nanos) {
        TimeGauge.builder("interlock.store.reply.age", nanos, TimeUnit.NANOSECONDS)
                .description("Time since the store's last reply, or since the start")
                .tags(tags)
                .register(registry);
    }

    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private void gauge(String name, String description, Tags tags, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tags(tags).register(registry);
    }

    private Timer timer(String name, String description, Tags tags) {
        return Timer.builder(name)
                .description(description)
                .publishPercentileHistogram(histograms)
                .tags(tags)
                .register(registry);
    }
}
