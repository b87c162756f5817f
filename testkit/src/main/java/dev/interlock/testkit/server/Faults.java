package dev.interlock.testkit.server;

import dev.interlock.testkit.server.FaultProxy.Direction;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Which faults are on, and how much they have hit. Shared by all connections of a proxy; its monitor guards the gates. */
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
    final Map<Direction, LongAdder> heldBytes = adders();
    final Map<Direction, LongAdder> droppedBytes = adders();
    final LongAdder droppedReplies = new LongAdder();
    final LongAdder swallowedChunks = new LongAdder();
    final LongAdder resets = new LongAdder();
    final AtomicInteger losses = new AtomicInteger();

    volatile long latencyNanos;
    volatile double lossProbability;
    volatile long silenceNanos;
    volatile @Nullable String swallowed;

    private final Map<Direction, Boolean> shut = new EnumMap<>(Direction.class);

    synchronized void shut(Direction direction) {
        shut.put(direction, true);
    }

    synchronized boolean isShut(Direction direction) {
        return shut.getOrDefault(direction, false);
    }

    synchronized void openAll() {
        shut.clear();
        notifyAll();
    }

    synchronized void awaitOpen(Direction direction) throws InterruptedException {
        while (isShut(direction)) {
            wait();
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
