package dev.interlock.testkit.server;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * Counts the requests that ZooKeeper's clients send through a {@link FaultProxy}, by what they ask for:
 * {@code create2}, {@code getChildren2} and so on, as they stand on the wire. Thread-safe.
 */
public final class ZooKeeperOperations implements Tap {

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "create"),
            Map.entry(2, "delete"),
            Map.entry(3, "exists"),
            Map.entry(4, "getData"),
            Map.entry(5, "setData"),
            Map.entry(6, "getACL"),
            Map.entry(7, "setACL"),
            Map.entry(8, "getChildren"),
            Map.entry(9, "sync"),
            Map.entry(11, "ping"),
            Map.entry(12, "getChildren2"),
            Map.entry(13, "check"),
            Map.entry(14, "multi"),
            Map.entry(15, "create2"),
            Map.entry(17, "checkWatches"),
            Map.entry(18, "removeWatches"),
            Map.entry(19, "createContainer"),
            Map.entry(20, "deleteContainer"),
            Map.entry(21, "createTTL"),
            Map.entry(22, "multiRead"),
            Map.entry(100, "auth"),
            Map.entry(101, "setWatches"),
            Map.entry(102, "sasl"),
            Map.entry(103, "getEphemerals"),
            Map.entry(104, "getAllChildrenNumber"),
            Map.entry(105, "setWatches2"),
            Map.entry(106, "addWatch"),
            Map.entry(-11, "closeSession"));
    // They keep the session alive, whatever is done in it.
    private static final Set<String> OF_THE_SESSION =
            Set.of("ping", "auth", "sasl", "setWatches", "setWatches2", "closeSession");
    private static final Set<String> WRITES = Set.of(
            "create",
            "create2",
            "createContainer",
            "createTTL",
            "delete",
            "deleteContainer",
            "setData",
            "setACL",
            "multi");

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public UnaryOperator<byte[]> connected() {
        Frames frames = new Frames();
        return chunk -> {
            frames.read(chunk);
            return chunk;
        };
    }

    /** How many requests of these names have been sent. */
    public long count(String... names) {
        long sum = 0;
        for (String name : names) {
            LongAdder counted = counts.get(name);
            sum += counted == null ? 0 : counted.sum();
        }
        return sum;
    }

    /** How many requests to read the children of a node, of either form. */
    public long listings() {
        return count("getChildren", "getChildren2");
    }

    /** How many requests that change something. */
    public long writes() {
        return WRITES.stream().mapToLong(this::count).sum();
    }

    /** How many requests, apart from those that only keep the session. */
    public long total() {
        return counts.keySet().stream()
                .filter(name -> !OF_THE_SESSION.contains(name))
                .mapToLong(this::count)
                .sum();
    }

    /** Begins again at zero. */
    public void reset() {
        counts.clear();
    }

    /** All counts, in order of names. */
    @Override
    public String toString() {
        return new TreeMap<>(counts).toString();
    }

    /**
     * The requests of one connection. Each is a length of four bytes and so many bytes, of which the first eight are a
     * number for the answer and the kind of request; the first one opens the session and has no kind. To be used by one
     * thread at a time.
     */
    private final class Frames {
        private static final int LENGTH_BYTES = 4;
        private static final int KIND_AT = 8;
        private static final int HEAD_BYTES = 12;

        private final byte[] head = new byte[HEAD_BYTES];
        private int read;
        private int size;
        private boolean opened;

        void read(byte[] chunk) {
            int at = 0;
            while (at < chunk.length) {
                if (read < HEAD_BYTES && (read < LENGTH_BYTES || read < size)) {
                    head[read++] = chunk[at++];
                    if (read == LENGTH_BYTES) {
                        size = LENGTH_BYTES + number(0);
                    }
                } else {
                    int rest = Math.min(size - read, chunk.length - at);
                    read += rest;
                    at += rest;
                }
                if (read >= LENGTH_BYTES && read == size) {
                    end();
                }
            }
        }

        private void end() {
            if (opened && size >= HEAD_BYTES) {
                int kind = number(KIND_AT);
                counts.computeIfAbsent(NAMES.getOrDefault(kind, "kind " + kind), name -> new LongAdder())
                        .increment();
            }
            opened = true;
            read = 0;
        }

        private int number(int from) {
            return (head[from] & 0xff) << 24
                    | (head[from + 1] & 0xff) << 16
                    | (head[from + 2] & 0xff) << 8
                    | (head[from + 3] & 0xff);
        }
    }
}
