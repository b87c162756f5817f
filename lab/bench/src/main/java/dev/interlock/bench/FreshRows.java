package dev.interlock.bench;

import static dev.interlock.bench.PeerKind.CURATOR;
import static dev.interlock.bench.PeerKind.INTERLOCK;
import static dev.interlock.bench.PeerKind.LETTUCE;
import static dev.interlock.bench.PeerKind.REDISSON;
import static dev.interlock.bench.PeerKind.SPRING_PUBSUB;

import dev.interlock.testkit.server.EtcdServer;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The rows about fresh JVMs: the time from the start of a process, connecting included, to the end of its first, tenth,
 * hundredth ... pair of lock and unlock, on all cores and on one.
 *
 * <p>A JVM searches its class path in order. So each peer has only those entries of ours that it loads classes from, as
 * a run before the first one finds out.
 */
final class FreshRows {

    private static final int LAST = 10_000;
    private static final int LAST_OF_A_SMOKE_TEST = 10;
    private static final int TO_FIND_CLASSES = 1_000;
    private static final String LOADED_FROM = "source: file:";

    /** From here on the driver alone is the measure. */
    private static final int WARM = 100;

    private static final double MOST_TIMES_THE_DRIVER = 1.3;

    private final String row;
    private final String uri;
    private final List<PeerKind> peers;
    private final int rounds;
    private final int last;
    private final List<String> lines = new ArrayList<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    private FreshRows(String row, String uri, List<PeerKind> peers, Settings settings) {
        this.row = row;
        this.uri = uri;
        this.peers = peers.stream().filter(settings.peers()::contains).toList();
        rounds = settings.rounds();
        last = settings.here() ? LAST_OF_A_SMOKE_TEST : LAST;
    }

    /** One fresh JVM. */
    private record Start(List<Double> millis, double classes, double cpuSeconds) {}

    /** Measures one row, on a server of its own. */
    static Section run(String row, Settings settings) {
        return switch (row) {
            case "F1" -> onRedis(row, settings);
            case "F2" -> onSql(row, settings);
            case "F3" -> onZooKeeper(row, settings);
            case "F4" -> onEtcd(row, settings);
            default -> throw new IllegalArgumentException("unknown row: " + row);
        };
    }

    private static Section onRedis(String row, Settings settings) {
        try (RedisServer server = RedisServer.start()) {
            List<PeerKind> peers = List.of(LETTUCE, REDISSON, SPRING_PUBSUB, INTERLOCK);
            return new FreshRows(row, server.uri(), peers, settings).measure("Redis");
        }
    }

    private static Section onSql(String row, Settings settings) {
        String url = PostgresServer.shared().newDatabase();
        PostgresServer.execute(url, SpringJdbcPeer.TABLE);
        PostgresServer.execute(url, ShedLockPeer.TABLE);
        return new FreshRows(row, url, PeerKind.onSql(), settings).measure("PostgreSQL");
    }

    private static Section onZooKeeper(String row, Settings settings) {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            return new FreshRows(row, server.uri(), List.of(CURATOR, INTERLOCK), settings).measure("ZooKeeper");
        }
    }

    private static Section onEtcd(String row, Settings settings) {
        if (!EtcdServer.isInstalled()) {
            return new Section(title(row, "etcd"), List.of("Not measured: no etcd is on the PATH."), List.of());
        }
        try (EtcdServer server = EtcdServer.start()) {
            String uri = "etcd://" + server.host() + "/bench";
            return new FreshRows(row, uri, PeerKind.onEtcd(), settings).measure("etcd");
        }
    }

    private static String title(String row, String store) {
        return row + ": the first locks of a fresh JVM, on " + store;
    }

    private Section measure(String store) {
        Map<PeerKind, String> classPaths = new EnumMap<>(PeerKind.class);
        peers.forEach(peer -> classPaths.put(peer, classPath(peer)));
        measure(classPaths, List.of(), Runtime.getRuntime().availableProcessors() + " cores");
        measure(classPaths, List.of("taskset", "-c", "0"), "1 core");
        return new Section(title(row, store), lines, verdicts);
    }

    private void measure(Map<PeerKind, String> classPaths, List<String> prefix, String cores) {
        Map<PeerKind, List<Start>> measured = new EnumMap<>(PeerKind.class);
        for (int i = 0; i < rounds; i++) {
            classPaths.forEach((peer, path) ->
                    measured.computeIfAbsent(peer, key -> new ArrayList<>()).add(start(peer, path, prefix)));
        }
        StringBuilder head = new StringBuilder("| " + cores + " |");
        StringBuilder rule = new StringBuilder("|---|");
        for (int number = 1; number <= last; number *= 10) {
            head.append(String.format(" to lock %,d ms |", number));
            rule.append("--:|");
        }
        lines.addAll(List.of("", head + " classes | processor s |", rule + "--:|--:|"));
        Map<PeerKind, Start> medians = new EnumMap<>(PeerKind.class);
        measured.forEach((peer, runs) -> medians.put(peer, median(runs)));
        medians.forEach((peer, start) -> lines.add(line(peer, start)));
        judge(medians, cores);
    }

    private Start start(PeerKind peer, String classPath, List<String> prefix) {
        long startNanos = System.nanoTime();
        try (Child child = Child.start(prefix, List.of(), FreshJvm.class, classPath, arguments(peer, last))) {
            List<Double> millis = new ArrayList<>();
            for (int number = 1; number <= last; number *= 10) {
                child.expect("at " + number);
                millis.add((System.nanoTime() - startNanos) / 1e6);
            }
            double cpuSeconds = child.cpu().toMillis() / 1e3;
            return new Start(millis, Double.parseDouble(child.expect("classes")), cpuSeconds);
        }
    }

    /** The entries of our class path from which a JVM of this peer loads classes. */
    private String classPath(PeerKind peer) {
        Path log = Scratch.file("classes");
        List<String> options = List.of("-Xlog:class+load:file=" + log.toAbsolutePath());
        int locks = Math.min(last, TO_FIND_CLASSES);
        try (Child child = Child.start(List.of(), options, FreshJvm.class, Child.classPath(), arguments(peer, locks))) {
            for (int number = 1; number <= locks; number *= 10) {
                child.expect("at " + number);
            }
            child.expect("classes");
        }
        try (Stream<String> loads = Files.lines(log)) {
            List<Path> used = loads.filter(line -> line.contains(LOADED_FROM))
                    .map(line -> line.substring(line.indexOf(LOADED_FROM) + LOADED_FROM.length()))
                    .distinct()
                    .map(Path::of)
                    .toList();
            return String.join(
                    File.pathSeparator,
                    Stream.of(Child.classPath().split(File.pathSeparator, -1))
                            .filter(entry -> used.contains(Path.of(entry).toAbsolutePath()))
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            log.toFile().delete();
        }
    }

    private List<String> arguments(PeerKind peer, int locks) {
        return List.of(peer.name(), uri, Integer.toString(locks));
    }

    private static Start median(List<Start> starts) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < starts.get(0).millis().size(); i++) {
            int step = i;
            millis.add(Median.of(
                    starts.stream().map(start -> start.millis().get(step)).toList()));
        }
        return new Start(
                millis,
                Median.of(starts.stream().map(Start::classes).toList()),
                Median.of(starts.stream().map(Start::cpuSeconds).toList()));
    }

    private static String line(PeerKind peer, Start start) {
        StringBuilder line = new StringBuilder("| " + peer.title() + " |");
        start.millis()
                .forEach(millis ->
                        line.append(' ').append(Verdict.number(millis)).append(" |"));
        return line + " " + Verdict.number(start.classes()) + " | " + Verdict.number(start.cpuSeconds()) + " |";
    }

    private void judge(Map<PeerKind, Start> medians, String cores) {
        Start ours = medians.get(INTERLOCK);
        if (ours == null) {
            return;
        }
        medians.forEach((peer, theirs) -> {
            if (peer == INTERLOCK) {
                return;
            }
            int number = 1;
            for (int i = 0; i < ours.millis().size(); i++, number *= 10) {
                boolean driver = peer == LETTUCE;
                if (!driver || number >= WARM) {
                    verdicts.add(Verdict.atMost(
                            row,
                            String.format("to lock %,d, %s", number, cores),
                            ours.millis().get(i) / theirs.millis().get(i),
                            driver ? MOST_TIMES_THE_DRIVER : 1,
                            " × " + peer.title()));
                }
            }
        });
    }
}
