package dev.interlock.bench;

import static dev.interlock.bench.PeerKind.CURATOR;
import static dev.interlock.bench.PeerKind.INTERLOCK;

import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The rows about ZooKeeper, each with the round trip of the machine and with a round trip of ten milliseconds. */
final class ZooKeeperRows implements AutoCloseable {

    private static final Duration FAR = Duration.ofMillis(10);
    private static final int THREADS = 200;
    private static final int WRITERS = 10;
    private static final int READERS = 50;

    private final Settings settings;
    private final List<PeerKind> peers;
    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final Wire near = new Wire(server, Duration.ZERO);
    private final Wire far = new Wire(server, FAR);
    private final List<Verdict> verdicts = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    private ZooKeeperRows(Settings settings) {
        this.settings = settings;
        peers = List.of(CURATOR, INTERLOCK).stream()
                .filter(settings.peers()::contains)
                .toList();
    }

    /** Measures one row, on a server of its own. */
    static Section run(String row, Settings settings) {
        try (ZooKeeperRows rows = new ZooKeeperRows(settings)) {
            String title =
                    switch (row) {
                        case "Z1" -> rows.freeLock();
                        case "Z2" -> rows.failedTry();
                        case "Z3" -> rows.crowd();
                        case "Z4" -> rows.processes();
                        case "Z5" -> rows.writersAndReaders();
                        case "Z6" -> rows.permit();
                        default -> throw new IllegalArgumentException("unknown row: " + row);
                    };
            return new Section(row + ": " + title, rows.lines, rows.verdicts);
        }
    }

    @Override
    public void close() {
        near.close();
        far.close();
        server.close();
    }

    private String freeLock() {
        Map<PeerKind, CallCost> costs = callCosts(CallCost.Call.LOCK);
        CallCost ours = costs.get(INTERLOCK);
        CallCost theirs = costs.get(CURATOR);
        if (ours != null) {
            verdicts.add(roundTrips("Z1", ours, 1));
            if (theirs != null) {
                verdicts.add(Verdict.ratio(
                        "Z1",
                        "acquires per second at 10 ms",
                        1_000 / ours.acquireMillis(),
                        1_000 / theirs.acquireMillis(),
                        1.9,
                        "Curator"));
            }
        }
        return "Free lock, 1 thread";
    }

    private String failedTry() {
        CallCost ours = callCosts(CallCost.Call.TRY).get(INTERLOCK);
        if (ours != null) {
            verdicts.add(Verdict.atMost("Z2", "requests", ours.requests(), 1, ""));
            verdicts.add(Verdict.atMost("Z2", "writes", ours.writes(), 0, ""));
        }
        return "A try in vain, 1 thread";
    }

    private String permit() {
        CallCost ours = callCosts(CallCost.Call.PERMIT).get(INTERLOCK);
        if (ours != null) {
            verdicts.add(roundTrips("Z6", ours, 2));
        }
        return "Semaphore of 8, 1 thread";
    }

    private String crowd() {
        Map<PeerKind, Drained> drained = drains((kind, wire) -> Drained.ofThreads(kind, wire, THREADS));
        Drained ours = drained.get(INTERLOCK);
        Drained theirs = drained.get(CURATOR);
        if (ours != null) {
            verdicts.add(Verdict.atMost("Z3", "requests at 10 ms", ours.requests(), 449, ""));
            if (theirs != null) {
                verdicts.add(Verdict.ratio(
                        "Z3", "drains per second at 10 ms", 1 / ours.seconds(), 1 / theirs.seconds(), 10, "Curator"));
            }
        }
        return "One lock, " + THREADS + " threads of one JVM, each once";
    }

    private String writersAndReaders() {
        Drained ours = drains((kind, wire) -> Drained.ofClients(kind, wire, WRITERS, READERS))
                .get(INTERLOCK);
        if (ours != null) {
            verdicts.add(Verdict.atMost("Z5", "getChildren at 10 ms", ours.listings(), 70, ""));
        }
        return "Read/write lock, " + WRITERS + " clients that write and " + READERS
                + " behind them that read, each once";
    }

    private String processes() {
        Scenario scenario = Scenario.onZooKeeper().among(peers).withJvms(settings.jvms());
        for (Wire wire : List.of(near, far)) {
            Results results = new PlainContest(scenario, settings, wire.uri(), () -> wire.requests()
                            .total())
                    .run();
            lines.addAll(List.of("", "Round trip " + wire.title() + ":", ""));
            lines.addAll(Column.table(scenario, results));
            if (results.have(CURATOR, INTERLOCK)) {
                verdicts.add(Verdict.ratio(
                        "Z4",
                        "per second, " + wire.title(),
                        results.median(INTERLOCK, Sample::perSecond),
                        results.median(CURATOR, Sample::perSecond),
                        3,
                        "Curator"));
            }
        }
        return scenario.title();
    }

    /** The costs at ten milliseconds; those of both wires go to the table. */
    private Map<PeerKind, CallCost> callCosts(CallCost.Call call) {
        lines.add("| | round trip | call p50 ms | release p50 ms | requests of both | of them writes |");
        lines.add("|---|--:|--:|--:|--:|--:|");
        Map<PeerKind, CallCost> costs = new EnumMap<>(PeerKind.class);
        for (Wire wire : List.of(near, far)) {
            for (PeerKind peer : peers) {
                CallCost cost = CallCost.of(call, peer, wire, settings.warmUp(), settings.time());
                lines.add(cost.line(peer, wire));
                costs.put(peer, cost);
            }
        }
        return costs;
    }

    /** The drains at ten milliseconds; those of both wires go to the table. */
    private Map<PeerKind, Drained> drains(Drained.Way way) {
        lines.add("| | round trip | seconds (least–most) | requests | of them getChildren |");
        lines.add("|---|--:|--:|--:|--:|");
        Map<PeerKind, Drained> drained = new EnumMap<>(PeerKind.class);
        for (Wire wire : List.of(near, far)) {
            for (PeerKind peer : peers) {
                List<Drained> runs = new ArrayList<>();
                for (int round = 0; round < settings.rounds(); round++) {
                    runs.add(way.run(peer, wire));
                }
                lines.add(Drained.line(peer, wire, runs));
                drained.put(peer, Drained.median(runs));
            }
        }
        return drained;
    }

    private Verdict roundTrips(String row, CallCost cost, int most) {
        double unit = far.measuredMillis();
        // Half of one more is what a machine may take for itself.
        return Verdict.atMost(
                row,
                "round trips at 10 ms, each " + Verdict.number(unit) + " ms",
                cost.acquireMillis() / unit,
                most + 0.5,
                "");
    }
}
