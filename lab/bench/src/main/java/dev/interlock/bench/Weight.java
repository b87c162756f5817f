package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The row about weight: the time to the first lock in a new JVM, and the threads and connections of an idle client. */
final class Weight {

    private static final Duration REST = Duration.ofMillis(500);
    private static final int MOST_RESTS = 10;
    // What the other side brings: neither JVM searches the other's jars, as in an application.
    private static final Map<PeerKind, List<String>> WITHOUT = Map.of(
            PeerKind.INTERLOCK,
            List.of(
                    "redisson",
                    "spring",
                    "etcd",
                    "grpc",
                    "vertx",
                    "interlock-memory",
                    "interlock-recipes",
                    "kryo",
                    "byte-buddy",
                    "rxjava",
                    "jodd",
                    "snakeyaml",
                    "jmh",
                    "jdbc",
                    "shedlock",
                    "HikariCP",
                    "postgresql",
                    "/junit/"),
            PeerKind.REDISSON,
            List.of(
                    "interlock-core",
                    "etcd",
                    "grpc",
                    "vertx",
                    "interlock-memory",
                    "interlock-recipes",
                    "interlock-redis",
                    "jdbc",
                    "shedlock",
                    "HikariCP",
                    "postgresql",
                    "lettuce",
                    "spring",
                    "jmh",
                    "/junit/"));

    private final int starts;
    private final RedisServer server;
    private final Map<PeerKind, List<Start>> measured = new EnumMap<>(PeerKind.class);

    Weight(int starts, RedisServer server) {
        this.starts = starts;
        this.server = server;
    }

    /** One fresh JVM. */
    private record Start(double millis, double threads, double connections) {}

    /** Starts fresh JVMs of the peers in turn. */
    Section run(List<PeerKind> peers) {
        for (int i = 0; i < starts; i++) {
            for (PeerKind peer : List.of(PeerKind.REDISSON, PeerKind.INTERLOCK)) {
                if (peers.contains(peer)) {
                    measured.computeIfAbsent(peer, key -> new ArrayList<>()).add(start(peer));
                }
            }
        }
        List<String> lines = new ArrayList<>(List.of(
                "| | first lock in a fresh JVM ms | threads at rest | connections at rest |", "|---|--:|--:|--:|"));
        measured.forEach((peer, runs) -> lines.add("| " + peer.title() + " | " + Verdict.number(millis(peer)) + " | "
                + Verdict.number(threads(peer)) + " | " + Verdict.number(connections(peer)) + " |"));
        return new Section("B8: weight", lines, verdicts());
    }

    private Start start(PeerKind peer) {
        int before = clients();
        long startNanos = System.nanoTime();
        String classPath = Child.classPathWithout(WITHOUT.getOrDefault(peer, List.of()));
        try (Child child = Child.start(FirstLock.class, classPath, List.of(peer.name(), server.uri()))) {
            child.expect("locked");
            double millis = (System.nanoTime() - startNanos) / 1e6;
            int threads = threadsAtRest(child);
            return new Start(millis, threads, clients() - before);
        }
    }

    /** The number of threads when it no longer changes. */
    private static int threadsAtRest(Child child) {
        int last = -1;
        for (int i = 0; i < MOST_RESTS; i++) {
            LockSupport.parkNanos(REST.toNanos());
            child.send("count");
            int now = Integer.parseInt(child.expect("threads"));
            if (now == last) {
                break;
            }
            last = now;
        }
        return last;
    }

    private List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        if (measured.containsKey(PeerKind.INTERLOCK)) {
            if (measured.containsKey(PeerKind.REDISSON)) {
                double ratio = millis(PeerKind.INTERLOCK) / millis(PeerKind.REDISSON);
                verdicts.add(Verdict.atMost("B8", "first lock in a fresh JVM", ratio, 1.1, " × Redisson"));
            }
            verdicts.add(Verdict.atMost("B8", "threads at rest", threads(PeerKind.INTERLOCK), 12, ""));
            verdicts.add(Verdict.atMost("B8", "connections at rest", connections(PeerKind.INTERLOCK), 2, ""));
        }
        return verdicts;
    }

    private double millis(PeerKind peer) {
        return Median.of(runs(peer).stream().map(Start::millis).toList());
    }

    private double threads(PeerKind peer) {
        return Median.of(runs(peer).stream().map(Start::threads).toList());
    }

    private double connections(PeerKind peer) {
        return Median.of(runs(peer).stream().map(Start::connections).toList());
    }

    private List<Start> runs(PeerKind peer) {
        return measured.getOrDefault(peer, List.of());
    }

    private int clients() {
        return (int) server.command("CLIENT", "LIST").lines().count();
    }
}
