package dev.interlock.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The time until all waiters had acquired the lock once.
 *
 * @param seconds the time from the release on
 * @param requests the number of requests, from the first waiter on
 * @param listings the requests among them that read the children of a node
 */
record Drained(double seconds, double requests, double listings) {

    /** One way to do it. */
    @FunctionalInterface
    interface Way {
        Drained run(PeerKind kind, Wire wire);
    }

    /** Threads of one client that come together and want one lock. */
    static Drained ofThreads(PeerKind kind, Wire wire, int threads) {
        String name = name("crowd");
        try (Drain drain = new Drain(kind, wire, name, Flavour.PLAIN);
                Peer peer = kind.open(wire.uri())) {
            List<PeerLock> locks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                locks.add(peer.lock(name));
            }
            drain.arrive(locks);
            return run(drain, wire);
        }
    }

    /** Clients of one thread each, that come one after the other: first those that write, then those that read. */
    static Drained ofClients(PeerKind kind, Wire wire, int writers, int readers) {
        String name = name("pair");
        List<Peer> peers = new ArrayList<>();
        try (Drain drain = new Drain(kind, wire, name, Flavour.WRITE)) {
            for (int i = 0; i < writers + readers; i++) {
                Peer peer = kind.open(wire.uri());
                peers.add(peer);
                boolean writes = i < writers;
                drain.arrive(peer.lock(name, writes ? Flavour.WRITE : Flavour.READ), writes);
            }
            return run(drain, wire);
        } finally {
            peers.forEach(Peer::close);
        }
    }

    /** That of the median time. */
    static Drained median(List<Drained> runs) {
        return new Drained(
                Median.of(runs.stream().map(Drained::seconds).toList()),
                Median.of(runs.stream().map(Drained::requests).toList()),
                Median.of(runs.stream().map(Drained::listings).toList()));
    }

    /** As a line of a table. */
    static String line(PeerKind peer, Wire wire, List<Drained> runs) {
        Drained median = median(runs);
        List<Double> seconds = runs.stream().map(Drained::seconds).toList();
        List<String> cells = List.of(
                peer.title(),
                wire.title(),
                Verdict.number(median.seconds) + " (" + Verdict.number(Collections.min(seconds)) + "–"
                        + Verdict.number(Collections.max(seconds)) + ")",
                Verdict.number(median.requests),
                Verdict.number(median.listings));
        return "| " + String.join(" | ", cells) + " |";
    }

    private static Drained run(Drain drain, Wire wire) {
        double seconds = drain.run();
        return new Drained(seconds, wire.requests().total(), wire.requests().listings());
    }

    /** A new one each time: what is left of the last one is nobody's business. */
    private static String name(String kind) {
        return "bench-" + kind + "-" + System.nanoTime();
    }
}
