package dev.interlock.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command.
 *
 * @param rows the rows to measure
 * @param settings the sizes and durations
 * @param out the file for the page; null if the page is only printed
 */
record Options(List<String> rows, Settings settings, @Nullable Path out) {

    /** All rows, in the order of the table. */
    static final List<String> ROWS = List.of(
            "B1", "B1E", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "M1", "R1",
            "R2", "JMH", "Z1", "Z2", "Z3", "Z4", "Z5", "Z6", "E1", "E2", "E3", "S1", "S2", "S3", "S4", "S5", "F1", "F2",
            "F3", "F4", "C1");

    static final String HELP =
            """
            usage: lab/bench/run [--rows B1,B2,...] [--peers INTERLOCK,REDISSON,...] [--rounds N] [--millis N]
                                 [--warmup N] [--out FILE]
              rows    B1 to B14, B1E with locks that are released early, M1 with metrics, R1 and R2 with retained
                      locks, JMH, Z1 to Z6 on ZooKeeper, E1 to E3 on etcd, S1 to S4 on PostgreSQL, S5 on SQLite,
                      F1 to F4 with fresh JVMs on Redis, PostgreSQL, ZooKeeper and etcd, and C1, the command; all by
                      default. E1 to E3 and S5 also measure the earlier build whose class path
                      is in the environment as INTERLOCK_BASELINE
              peers   LETTUCE, REDISSON, SPRING_SPIN, SPRING_PUBSUB, CURATOR, JETCD, SPRING_JDBC, SHEDLOCK, BASELINE,
                      INTERLOCK, METERED, RETAINED, EARLY; all by default
              rounds  how often each peer is measured, in turn; 3 by default
              millis  for how long each time; 3000 by default
              warmup  for how long before the first time, in milliseconds; 4000 by default
              out     where the page is written; lab/bench/results.md by default if all rows and peers are measured
            """;

    private static final Path PAGE = Path.of("lab", "bench", "results.md");

    /** @throws IllegalArgumentException if an option or a value is unknown; the message says which */
    static Options parse(List<String> arguments) {
        List<String> rows = ROWS;
        Settings settings = Settings.full();
        Path out = null;
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("Unknown option, or one without a value: " + option);
            }
            String value = arguments.get(i + 1);
            switch (option) {
                case "--rows" -> rows = rows(value);
                case "--peers" -> settings = settings.withPeers(peers(value));
                case "--rounds" -> settings = settings.withRounds(positive(option, value));
                case "--millis" -> settings = settings.withTime(Duration.ofMillis(positive(option, value)));
                case "--warmup" -> settings = settings.withWarmUp(Duration.ofMillis(positive(option, value)));
                case "--out" -> out = Path.of(value);
                default -> throw new IllegalArgumentException("Unknown option: " + option);
            }
        }
        boolean whole = rows.containsAll(ROWS) && settings.peers().containsAll(List.of(PeerKind.values()));
        return new Options(rows, settings, out == null && whole ? PAGE : out);
    }

    private static List<String> rows(String value) {
        List<String> rows = Arrays.stream(value.split(",", -1))
                .map(row -> row.toUpperCase(Locale.ROOT))
                .toList();
        if (!ROWS.containsAll(rows)) {
            throw new IllegalArgumentException("Unknown row in '" + value + "'; known are " + ROWS);
        }
        return rows;
    }

    private static List<PeerKind> peers(String value) {
        List<PeerKind> peers = new ArrayList<>();
        for (String name : value.split(",", -1)) {
            String wanted = name.toUpperCase(Locale.ROOT);
            peers.add(Arrays.stream(PeerKind.values())
                    .filter(peer -> peer.name().equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("Unknown peer in '" + value + "'")));
        }
        return peers;
    }

    private static int positive(String option, String value) {
        int number = Integer.parseInt(value);
        if (number < 1) {
            throw new IllegalArgumentException(option + " must be 1 or more: " + value);
        }
        return number;
    }
}
