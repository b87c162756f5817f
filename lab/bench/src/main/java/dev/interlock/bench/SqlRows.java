package dev.interlock.bench;

import static dev.interlock.bench.PeerKind.INTERLOCK;
import static dev.interlock.bench.PeerKind.SPRING_JDBC;

import dev.interlock.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The rows about SQL, on PostgreSQL. Each uses a database of its own. */
final class SqlRows {

    /** A client at rest does little: it is watched so many times longer than one at work. */
    private static final int REST = 10;

    private final Settings settings;
    private final List<PeerKind> peers;
    private final PostgresServer server = PostgresServer.shared();
    private final String url = server.newDatabase();
    private final List<Verdict> verdicts = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    private SqlRows(Settings settings) {
        this.settings = settings;
        peers = PeerKind.onSql().stream().filter(settings.peers()::contains).toList();
        PostgresServer.execute(url, SpringJdbcPeer.TABLE);
        PostgresServer.execute(url, ShedLockPeer.TABLE);
    }

    /** Measures one row. */
    static Section run(String row, Settings settings) {
        SqlRows rows = new SqlRows(settings);
        String title =
                switch (row) {
                    case "S1" -> rows.freeLock();
                    case "S2" -> rows.crowd();
                    case "S3" -> rows.handOver();
                    case "S4" -> rows.rest();
                    default -> throw new IllegalArgumentException("unknown row: " + row);
                };
        return new Section(row + ": " + title, rows.lines, rows.verdicts);
    }

    private String freeLock() {
        String title = contest("S1", 2);
        lines.addAll(List.of("", "| | statements per pair | round trips per pair |", "|---|--:|--:|"));
        try (SqlWire wire = new SqlWire(server, url)) {
            for (PeerKind peer : peers) {
                SqlWire.Cost cost = wire.costOfAPair(peer);
                lines.add("| " + peer.title() + " | " + Verdict.number(cost.statements()) + " | "
                        + Verdict.number(cost.roundTrips()) + " |");
            }
        }
        return title;
    }

    private String crowd() {
        return contest("S2", 20);
    }

    private String handOver() {
        Scenario scenario = scenario("S3");
        Results results = results(scenario);
        if (results.have(INTERLOCK)) {
            double millis = results.median(INTERLOCK, sample -> sample.waitMillis(0.5));
            verdicts.add(Verdict.atMost("S3", "p50 of a hand-over between JVMs", millis, 5, " ms"));
        }
        return scenario.title();
    }

    private String rest() {
        Map<PeerKind, List<Double>> measured = new EnumMap<>(PeerKind.class);
        Duration time = settings.time().multipliedBy(REST);
        try (SqlWire wire = new SqlWire(server, url)) {
            for (int round = 0; round < settings.rounds(); round++) {
                for (PeerKind peer : peers) {
                    measured.computeIfAbsent(peer, key -> new ArrayList<>())
                            .add(wire.statementsAtRest(peer, settings.warmUp(), time));
                }
            }
        }
        lines.addAll(List.of("| | statements per second, over " + time.toSeconds() + " s |", "|---|--:|"));
        measured.forEach(
                (peer, rounds) -> lines.add("| " + peer.title() + " | " + Verdict.number(Median.of(rounds)) + " |"));
        List<Double> ours = measured.get(INTERLOCK);
        if (ours != null) {
            verdicts.add(Verdict.atMost("S4", "statements per waiting JVM and second", Median.of(ours), 1, ""));
        }
        return "One JVM waits, another holds";
    }

    private String contest(String row, double least) {
        Scenario scenario = scenario(row);
        Results results = results(scenario);
        if (results.have(INTERLOCK, SPRING_JDBC)) {
            verdicts.add(Verdict.ratio(
                    row,
                    "per second",
                    results.median(INTERLOCK, Sample::perSecond),
                    results.median(SPRING_JDBC, Sample::perSecond),
                    least,
                    SPRING_JDBC.title()));
        }
        return scenario.title();
    }

    private Results results(Scenario scenario) {
        Results results = new PlainContest(scenario, settings, url, () -> Double.NaN).run();
        lines.addAll(Column.table(scenario, results));
        return results;
    }

    private Scenario scenario(String row) {
        return Scenario.onSql().stream()
                .filter(one -> one.id().equals(row))
                .findFirst()
                .orElseThrow()
                .among(peers)
                .withJvms(settings.jvms());
    }
}
