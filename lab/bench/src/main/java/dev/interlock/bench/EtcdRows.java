package dev.interlock.bench;

import static dev.interlock.bench.PeerKind.INTERLOCK;
import static dev.interlock.bench.PeerKind.JETCD;

import dev.interlock.testkit.server.EtcdServer;
import java.util.ArrayList;
import java.util.List;

/** The rows about etcd, each on a server of its own. */
final class EtcdRows {

    private EtcdRows() {}

    /** Measures one row; where there is no etcd, says so. */
    static Section run(String row, Settings settings) {
        Scenario scenario = Scenario.onEtcd().stream()
                .filter(one -> one.id().equals(row))
                .findFirst()
                .orElseThrow()
                .among(settings.peers())
                .withJvms(settings.jvms());
        String title = row + ": " + scenario.title();
        if (!EtcdServer.isInstalled()) {
            return new Section(title, List.of("Not measured: no etcd is on the PATH."), List.of());
        }
        try (EtcdServer server = EtcdServer.start()) {
            String uri = "etcd://" + server.host() + "/bench";
            Results results = new PlainContest(scenario, settings, uri, server::requests).run();
            return new Section(title, Column.table(scenario, results), verdicts(row, results));
        }
    }

    private static List<Verdict> verdicts(String row, Results results) {
        List<Verdict> verdicts = new ArrayList<>();
        if (row.equals("E3") && results.have(INTERLOCK)) {
            double commands = results.median(INTERLOCK, Sample::commandsPerHandOver);
            verdicts.add(Verdict.atMost(row, "commands per hand-over between JVMs", commands, 4, ""));
        } else if (results.have(JETCD, INTERLOCK)) {
            verdicts.add(Verdict.ratio(
                    row,
                    "per second",
                    results.median(INTERLOCK, Sample::perSecond),
                    results.median(JETCD, Sample::perSecond),
                    row.equals("E1") ? 1.5 : 20,
                    JETCD.title()));
        }
        return verdicts;
    }
}
