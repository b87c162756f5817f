package dev.interlock.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The row about SQLite: threads of one client that each lock a name of their own, in one file, on this build and on an
 * earlier one, in turn, if there is a {@linkplain Child#baseline() baseline}.
 */
final class SqliteRow {

    private static final List<Integer> THREADS = List.of(1, 4, 16);
    private static final double LEAST = 1.6;

    private final Settings settings;
    private final Map<String, String> classPaths = new LinkedHashMap<>();
    private final Map<String, List<Figure>> measured = new LinkedHashMap<>();

    SqliteRow(Settings settings) {
        this.settings = settings;
        String baseline = Child.baseline();
        if (baseline != null) {
            classPaths.put("before", baseline);
        }
        classPaths.put("now", Child.classPath());
    }

    /** @param cpuMicros the processor time of the process for one verb: an acquire or a release */
    private record Figure(double pairs, double cpuMicros) {}

    /** Each build works in a JVM and a file of its own, and all are measured in turn. */
    Section run() {
        Map<String, Child> children = new LinkedHashMap<>();
        try {
            classPaths.forEach((build, classPath) -> children.put(build, start(classPath)));
            children.values()
                    .forEach(child -> measure(child, 16, settings.warmUp().toMillis()));
            for (int round = 0; round < settings.rounds(); round++) {
                for (int threads : THREADS) {
                    children.forEach(
                            (build, child) -> measured.computeIfAbsent(key(build, threads), none -> new ArrayList<>())
                                    .add(measure(child, threads, settings.time().toMillis())));
                }
            }
        } finally {
            children.values().forEach(Child::close);
        }
        return new Section("S5: SQLite, as many names as threads, one file", lines(), verdicts());
    }

    private static Child start(String classPath) {
        Path file = Scratch.file("sqlite").toAbsolutePath();
        return Child.start(SqliteNames.class, classPath, List.of("jdbc:sqlite:" + file));
    }

    private static Figure measure(Child child, int threads, long millis) {
        child.send(threads + " " + millis);
        String[] words = child.expect("pairs").split(" ", -1);
        return new Figure(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
    }

    private static String key(String build, int threads) {
        return threads + " threads, " + build;
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>(
                List.of("| | pairs per second (least–most) | CPU of the client per verb, µs |", "|---|--:|--:|"));
        measured.forEach((key, rounds) -> {
            List<Double> pairs = rounds.stream().map(Figure::pairs).sorted().toList();
            lines.add("| " + key + " | " + Verdict.number(pairs(key)) + " (" + Verdict.number(pairs.get(0)) + "–"
                    + Verdict.number(pairs.get(pairs.size() - 1)) + ") | " + Verdict.number(cpuMicros(key)) + " |");
        });
        return lines;
    }

    private List<Verdict> verdicts() {
        if (!classPaths.containsKey("before")) {
            return List.of();
        }
        String now = key("now", 16);
        String before = key("before", 16);
        return List.of(
                Verdict.ratio("S5", "pairs per second, 16 threads", pairs(now), pairs(before), LEAST, "before"),
                Verdict.ratio("S5", "verbs per CPU, 16 threads", cpuMicros(before), cpuMicros(now), 1, "before"));
    }

    private double pairs(String key) {
        return Median.of(measured.getOrDefault(key, List.of()).stream()
                .map(Figure::pairs)
                .toList());
    }

    private double cpuMicros(String key) {
        return Median.of(measured.getOrDefault(key, List.of()).stream()
                .map(Figure::cpuMicros)
                .toList());
    }
}
