package dev.interlock.testkit.server;

import dev.interlock.testkit.server.FaultProxy.Direction;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Which faults are on, and how much they have hit. Shared by all connections of a proxy; its monitor guards the gates.
 */
final class Faults {

    /** What becomes of a chunk from the server. */
    enum Fate {
        DELIVER,
        /** This chunk alone disappears. */
        SWALLOW,
        /** This chunk and everything after it on the connection disappears, then the connection is reset. */
        LOSE
    }

    final Map<Direction, LongAdder> forwardedBytes = adders();
    final Map<Direction, LongAdder> delayedBytes = adders();
    final Map<Direction, LongAdder> heldBytes = adders();
    final Map<Direction, LongAdder> droppedBytes = adders();
    final LongAdder droppedReplies = new LongAdder();
    final LongAdder swallowedChunks = new LongAdder();
    final LongAdder resets = new LongAdder();
    final LongAdder roundTrips = new LongAdder();
    final AtomicInteger losses = new AtomicInteger();

    volatile Latency latency = Latency.NONE;
    volatile double lossProbability;
    volatile long silenceNanos;
    volatile @Nullable String swallowed;

    /** By how much a chunk is late. */
    record Latency(long leastNanos, long mostNanos) {
        static final Latency NONE = new Latency(0, 0);

        Latency {
            if (leastNanos < 0 || leastNanos > mostNanos) {
                throw new IllegalArgumentException("A latency lies between 0 and the most: least=" + leastNanos
                        + " ns, most=" + mostNanos + " ns");
            }
        }

        /** The one of the next chunk. */
        long nextNanos() {
            return leastNanos == mostNanos
                    ? leastNanos
                    : ThreadLocalRandom.current().nextLong(leastNanos, mostNanos + 1);
        }
    }

    private final Set<Direction> shut = EnumSet.noneOf(Direction.class);

    /** How often all gates were opened. */
    private long openings;

    synchronized void shut(Direction direction) {
        shut.add(direction);
    }

    synchronized void openAll() {
        shut.clear();
        openings++;
        notifyAll();
    }

    /**
     * A chunk comes to a gate, or stands behind others that do. It counts as held once: the next opening lets it
     * through.
     */
    synchronized void meet(Direction direction, Chunk chunk) {
        if (shut.contains(direction) && chunk.heldAt == Chunk.NEVER) {
            chunk.heldAt = openings;
            count(heldBytes, direction, chunk);
        }
    }

    /**
     * Waits for the opening after the one at which it was held, even if the gate is shut again at once, and even before
     * it comes here: then the chunk has come through.
     */
    synchronized void pass(Direction direction, Chunk chunk) throws InterruptedException {
        meet(direction, chunk);
        while (shut.contains(direction) && openings == chunk.heldAt) {
            wait();
        }
    }

    static void count(Map<Direction, LongAdder> adders, Direction direction, Chunk chunk) {
        LongAdder adder = adders.get(direction);
        if (adder != null) {
            adder.add(chunk.bytes.length);
        }
    }

    Fate fate(byte[] chunk) {
        if (losses.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            return Fate.LOSE;
        }
        String text = swallowed;
        if (text != null && new String(chunk, StandardCharsets.ISO_8859_1).contains(text)) {
            return Fate.SWALLOW;
        }
        double probability = lossProbability;
        return probability > 0 && ThreadLocalRandom.current().nextDouble() < probability ? Fate.LOSE : Fate.DELIVER;
    }

    private static Map<Direction, LongAdder> adders() {
        Map<Direction, LongAdder> adders = new EnumMap<>(Direction.class);
        for (Direction direction : Direction.values()) {
            adders.put(direction, new LongAdder());
        }
        return adders;
    }
}
