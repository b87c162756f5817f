package dev.interlock.evidence;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The times in which a process wants the lock and none has it, from the first strike on. A process that is being struck
 * neither wants nor has it: it cannot work. While the server is being struck there are outages, too, but nobody is to
 * blame for them.
 */
final class Outages {

    private final long patienceNanos;
    private final Set<Integer> wanting = new HashSet<>();
    private final Set<Integer> holding = new HashSet<>();
    private final Set<Integer> struck = new HashSet<>();
    private boolean begun;
    private @Nullable Long outage;
    private @Nullable Long phantom;
    private long longestNanos;
    private int phantoms;

    /** Of events in the order of time; a phantom is an outage with the server well that lasts longer than this. */
    Outages(List<Event> inTime, Duration patience) {
        patienceNanos = patience.toNanos();
        inTime.forEach(this::take);
    }

    /** The longest of all. */
    long longestNanos() {
        return longestNanos;
    }

    int phantoms() {
        return phantoms;
    }

    private void take(Event event) {
        follow(event);
        boolean isOut =
                begun && wanting.stream().anyMatch(client -> !struck.contains(client)) && struck.containsAll(holding);
        if (outage != null && !isOut) {
            longestNanos = Math.max(longestNanos, event.nanos() - outage);
        }
        boolean isBlamed = isOut && !struck.contains(0);
        if (phantom != null && !isBlamed && event.nanos() - phantom > patienceNanos) {
            phantoms++;
        }
        outage = since(outage, isOut, event);
        phantom = since(phantom, isBlamed, event);
    }

    private static @Nullable Long since(@Nullable Long start, boolean goesOn, Event event) {
        if (!goesOn) {
            return null;
        }
        return start == null ? Long.valueOf(event.nanos()) : start;
    }

    private void follow(Event event) {
        Integer client = event.client();
        switch (event.what()) {
            case ASKS -> wanting.add(client);
            case HOLDS -> {
                wanting.remove(client);
                holding.add(client);
            }
            case LOST, RELEASES -> holding.remove(client);
            case LEAVES, KILLED -> {
                wanting.remove(client);
                holding.remove(client);
            }
            case STRIKES -> {
                begun = true;
                struck.add(client);
            }
            case HEALED -> struck.remove(client);
            default -> {
                // Changes neither who wants nor who holds.
            }
        }
    }
}
