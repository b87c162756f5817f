package dev.interlock.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the clients of this process have registered in one registry. Several may have meters of the same name and tags:
 * counters and timers add their figures up by themselves, gauges do so here, and a meter goes with the last client that
 * has it. A registry is known here for as long as a client has meters in it. Thread-safe.
 */
final class SharedMeters {

    /** Its own monitor guards it, and everything in its values. */
    private static final IdentityHashMap<MeterRegistry, SharedMeters> ALL = new IdentityHashMap<>();

    /** The name and tags of a gauge, before the registry's filters have changed them. */
    record Key(String name, Tags tags) {}

    private final Map<Meter.Id, Integer> users = new HashMap<>();
    private final Map<Key, Shared> gauges = new HashMap<>();

    /** A gauge, and what it adds up. */
    private record Shared(List<Supplier<Number>> figures, Meter meter) {}

    private SharedMeters() {}

    /** Registers a meter for one more user. */
    static <M extends Meter> M register(MeterRegistry registry, Function<MeterRegistry, M> registering) {
        synchronized (ALL) {
            M meter = registering.apply(registry);
            of(registry).users.merge(meter.getId(), 1, Integer::sum);
            return meter;
        }
    }

    /** Adds a figure to a gauge, for one more user. */
    static Meter gauge(
            MeterRegistry registry, Key key, Supplier<Number> figure, Function<List<Supplier<Number>>, Meter> first) {
        synchronized (ALL) {
            SharedMeters shared = of(registry);
            Shared gauge = shared.gauges.get(key);
            if (gauge == null) {
                List<Supplier<Number>> figures = new CopyOnWriteArrayList<>(List.of(figure));
                gauge = new Shared(figures, first.apply(figures));
                shared.gauges.put(key, gauge);
            } else {
                gauge.figures.add(figure);
            }
            shared.users.merge(gauge.meter.getId(), 1, Integer::sum);
            return gauge.meter;
        }
    }

    /** One user has no need of these any more. */
    static void remove(MeterRegistry registry, List<? extends Meter> meters, Map<Key, Supplier<Number>> figures) {
        synchronized (ALL) {
            SharedMeters shared = of(registry);
            figures.forEach((gauge, figure) -> shared.gauges.computeIfPresent(gauge, (key, all) -> {
                all.figures.remove(figure);
                return all.figures.isEmpty() ? null : all;
            }));
            for (Meter meter : meters) {
                shared.users.computeIfPresent(meter.getId(), (id, count) -> {
                    if (count > 1) {
                        return count - 1;
                    }
                    registry.remove(id);
                    return null;
                });
            }
            if (shared.users.isEmpty() && shared.gauges.isEmpty()) {
                ALL.remove(registry);
            }
        }
    }

    private static SharedMeters of(MeterRegistry registry) {
        return ALL.computeIfAbsent(registry, key -> new SharedMeters());
    }
}
