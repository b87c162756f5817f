package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A column of a scenario's figures.
 *
 * @param title its heading
 * @param measure computes its figure
 */
record Column(String title, ToDoubleFunction<Sample> measure) {

    /** The columns of a scenario. */
    static List<Column> of(Scenario scenario) {
        Column p50 = new Column("wait p50 ms", sample -> sample.waitMillis(0.50));
        Column p99 = new Column("wait p99 ms", sample -> sample.waitMillis(0.99));
        Column most = new Column("longest ms", sample -> sample.waitMillis(1));
        Column perPair = new Column("commands per pair", Sample::commandsPerOperation);
        Column client = new Column("client CPU µs", Sample::clientMicros);
        Column serverside = new Column("server CPU µs", Sample::serverMicros);
        if (scenario.kind() == Work.Kind.TIMED_TRY) {
            Column perWave = new Column("commands per wave", sample -> sample.commandsPerWave(scenario.threads()));
            return List.of(p50, p99, most, client, serverside, perWave);
        }
        if (scenario.kind() == Work.Kind.HAND_OVER) {
            Column perHandOver = new Column("commands per hand-over", Sample::commandsPerHandOver);
            return List.of(p50, p99, most, client, perHandOver);
        }
        if (scenario.jvms() == 1) {
            return List.of(p50, p99, most, client, serverside, perPair);
        }
        if (scenario.kind() == Work.Kind.FAIR) {
            return List.of(p50, p99, most, client, serverside, perPair, new Column("overtaken", Sample::overtaken));
        }
        return List.of(
                p50,
                p99,
                most,
                client,
                serverside,
                perPair,
                new Column("hand-overs between JVMs /s", Sample::handOversPerSecond),
                new Column("commands per such hand-over", Sample::commandsPerHandOver),
                new Column("smallest share of a JVM", Sample::smallestShare));
    }

    /**
     * The figures of a scenario, one peer in each line: medians over the rounds. What has been counted for nobody has
     * no column.
     */
    static List<String> table(Scenario scenario, Results results) {
        List<Column> columns = of(scenario).stream()
                .filter(column ->
                        results.peers().stream().anyMatch(peer -> !Double.isNaN(results.median(peer, column.measure))))
                .toList();
        StringBuilder head = new StringBuilder("| | per second (least–most) |");
        StringBuilder rule = new StringBuilder("|---|--:|");
        for (Column column : columns) {
            head.append(' ').append(column.title).append(" |");
            rule.append("--:|");
        }
        List<String> lines = new ArrayList<>(List.of(head.toString(), rule.toString()));
        for (PeerKind peer : results.peers()) {
            lines.add(line(peer, columns, results));
        }
        return lines;
    }

    private static String line(PeerKind peer, List<Column> columns, Results results) {
        StringBuilder line = new StringBuilder("| " + peer.title() + " | "
                + Verdict.number(results.median(peer, Sample::perSecond)) + " ("
                + Verdict.number(results.least(peer, Sample::perSecond)) + "–"
                + Verdict.number(results.most(peer, Sample::perSecond)) + ") |");
        for (Column column : columns) {
            line.append(' ')
                    .append(Verdict.number(results.median(peer, column.measure)))
                    .append(" |");
        }
        return line.toString();
    }
}
