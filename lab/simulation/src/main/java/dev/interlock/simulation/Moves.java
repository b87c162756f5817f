package dev.interlock.simulation;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The moves of the engine's state machines, by count. {@link EngineLoader} has the engine call {@link #moved}; in a
 * class loader that does not, nothing is counted. Thread-safe.
 */
public final class Moves {

    /** By the state that is left, and the one that is reached. */
    private static final Map<Enum<?>, Map<Enum<?>, LongAdder>> COUNTS = new ConcurrentHashMap<>();

    private Moves() {}

    /** A machine moves. */
    public static void moved(Enum<?> from, Enum<?> to) {
        COUNTS.computeIfAbsent(from, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(to, key -> new LongAdder())
                .increment();
    }

    /** The moves that were made, as {@code Machine FROM -> TO}, in the order of the text. */
    static Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        COUNTS.forEach((from, next) -> next.forEach((to, count) -> counts.put(nameOf(from, to), count.sum())));
        return counts;
    }

    static String nameOf(Enum<?> from, Enum<?> to) {
        return from.getDeclaringClass().getSimpleName() + " " + from + " -> " + to;
    }
}
