package dev.interlock.simulation;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The command: plants each bug of a list, one after the other, and demands that a seed finds it. */
public final class Plant {

    private static final long SEEDS = Long.getLong("interlock.seeds", 100_000);

    private Plant() {}

    /**
     * The command.
     *
     * @param arguments the root of the sources, and the names of the bugs; all without names
     */
    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        List<String> names = List.of(arguments).subList(1, arguments.length);
        int threads = Runtime.getRuntime().availableProcessors();
        int planted = 0;
        int missed = 0;
        for (PlantedBug bug : PlantedBug.read(root.resolve("simulation/planted.txt"))) {
            if (!names.isEmpty() && !names.contains(bug.name())) {
                continue;
            }
            planted++;
            long began = System.nanoTime();
            String found = bug.find(root, SEEDS, threads);
            missed += found == null ? 1 : 0;
            System.out.printf(
                    Locale.ROOT,
                    "%-36s %6.1f s  %s%n",
                    bug.name(),
                    (System.nanoTime() - began) / 1e9,
                    found == null ? "NOT FOUND" : found.lines().findFirst().orElse(found));
        }
        System.out.printf(Locale.ROOT, "%d planted, %d not found within %,d seeds%n", planted, missed, SEEDS);
        System.exit(missed == 0 ? 0 : 1);
    }
}
