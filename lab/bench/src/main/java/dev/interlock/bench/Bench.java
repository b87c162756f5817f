package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** The command: measures the chosen rows, prints the page and, if all rows were chosen, writes it. */
final class Bench {

    private final Options options;
    private final RedisServer server;

    Bench(Options options, RedisServer server) {
        this.options = options;
        this.server = server;
    }

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Options.HELP);
            return;
        }
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(Options.HELP);
            System.exit(64);
            return;
        }
        boolean failed;
        try (RedisServer server = RedisServer.start()) {
            String machine = Machine.describe(server);
            List<Section> sections = new Bench(options, server).sections();
            String page = Report.page(machine, options.settings(), sections);
            System.out.print(page);
            if (options.out() != null) {
                Files.writeString(options.out(), page);
            }
            failed = sections.stream().anyMatch(Section::failed);
        }
        // Peers may leave threads behind that are no daemons.
        System.exit(failed ? 1 : 0);
    }

    /** Measures the rows in the order of the table; one that fails does not stop the others. */
    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (String row : Options.ROWS) {
            if (options.rows().contains(row)) {
                System.err.println("measuring " + row + " ...");
                try {
                    sections.add(section(row));
                } catch (RunnerException | RuntimeException e) {
                    e.printStackTrace();
                    sections.add(Section.failure(row, e));
                }
            }
        }
        return sections;
    }

    private Section section(String row) throws RunnerException {
        Settings settings = options.settings();
        return switch (row) {
            case "B6" -> new Renewals(settings.leases(), settings.ttl(), server).run();
            case "B8" -> new Weight(settings.starts(), server).run(settings.peers());
            case "B13" -> new ClusterRenewals(settings.leases() * 3 / 10, settings.ttl()).run();
            case "B14" -> new FrozenReplica(settings).run();
            case "JMH" -> OneThread.run();
            case "C1" -> new CommandStart(Path.of("interlock"), 3 * settings.starts()).run();
            case "Z1", "Z2", "Z3", "Z4", "Z5", "Z6" -> ZooKeeperRows.run(row, settings);
            case "E1", "E2", "E3" -> EtcdRows.run(row, settings);
            case "F1", "F2", "F3", "F4" -> FreshRows.run(row, settings);
            case "S5" -> new SqliteRow(settings).run();
            case "S1", "S2", "S3", "S4" -> SqlRows.run(row, settings);
            default -> contest(row, settings);
        };
    }

    private Section contest(String row, Settings settings) {
        Scenario scenario = Scenario.all().stream()
                .filter(one -> one.id().equals(row))
                .findFirst()
                .orElseThrow()
                .among(settings.peers())
                .withJvms(settings.jvms());
        Results results = new Contest(scenario, settings, server).run();
        return new Section(
                row + ": " + scenario.title(), Column.table(scenario, results), Targets.judge(scenario, results));
    }
}
