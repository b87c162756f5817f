package dev.interlock.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The command: plants each bug of a list, as many at a time as there are processors, and demands that a seed fails. */
public final class Plant {

    private static final long SEEDS = Long.getLong("interlock.seeds", 100_000);

    /** Between these lines of the page is the table. */
    static final String BEGIN = "<!-- lab/simulation/plant write -->";

    static final String END = "<!-- end -->";

    private final Path root;
    private final ExecutorService workers =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    /**
     * What became of a bug.
     *
     * @param bug what was planted
     * @param found how it was found; null if it was not
     * @param text the same for people, in a line or more
     */
    private record Result(PlantedBug bug, PlantedBug.@Nullable Found found, String text) {}

    private Plant(Path root) {
        this.root = root;
    }

    /**
     * The command.
     *
     * @param arguments the root of the sources; then {@code write}, to plant all and write the table of the page, or
     *     the names of the bugs to plant, or nothing for all
     */
    public static void main(String[] arguments) {
        List<String> names = List.of(arguments).subList(1, arguments.length);
        boolean writes = names.equals(List.of("write"));
        try {
            System.exit(new Plant(Path.of(arguments[0])).run(writes ? List.of() : names, writes));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(64);
        }
    }

    private int run(List<String> names, boolean writes) {
        long began = System.nanoTime();
        List<PlantedBug> bugs = chosen(names);
        List<Future<Result>> running = new ArrayList<>();
        for (PlantedBug bug : bugs) {
            running.add(workers.submit(() -> search(bug)));
        }
        List<Result> results = running.stream().map(Plant::printed).toList();
        workers.shutdown();
        long missed = results.stream().filter(result -> result.found() == null).count();
        System.out.printf(
                Locale.ROOT,
                "%d planted, %d not found within %,d seeds, in %.0f s%n",
                results.size(),
                missed,
                SEEDS,
                (System.nanoTime() - began) / 1e9);
        if (writes && missed == 0) {
            write(table(results));
        }
        return missed == 0 ? 0 : 1;
    }

    private List<PlantedBug> chosen(List<String> names) {
        List<PlantedBug> all = PlantedBug.read(root.resolve("lab/simulation/planted.txt"));
        for (String name : names) {
            if (all.stream().noneMatch(bug -> bug.name().equals(name))) {
                throw new IllegalArgumentException("lab/simulation/planted.txt has no bug of this name: " + name);
            }
        }
        return all.stream()
                .filter(bug -> names.isEmpty() || names.contains(bug.name()))
                .toList();
    }

    private Result search(PlantedBug bug) {
        try {
            PlantedBug.Found found = bug.find(root, SEEDS);
            String text = found == null
                    ? "NOT FOUND"
                    : "seed " + found.seed() + " breaks " + found.rule() + ": "
                            + found.text().lines().findFirst().orElse("");
            return new Result(bug, found, text);
        } catch (IllegalStateException e) {
            return new Result(bug, null, "NOT PLANTED: " + e.getMessage());
        }
    }

    /** Waits for it, and prints it: in the order of the list. */
    private static Result printed(Future<Result> running) {
        try {
            Result result = running.get();
            System.out.printf(Locale.ROOT, "%-36s %s%n", result.bug().name(), result.text());
            return result;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("The search for a bug was ended", e);
        }
    }

    private static String table(List<Result> results) {
        StringBuilder table = new StringBuilder("| planted bug | kind | seeds | breaks |\n|---|---|---|---|\n");
        for (Result result : results) {
            PlantedBug.Found found = result.found();
            if (found != null) {
                table.append(String.format(
                        Locale.ROOT,
                        "| `%s` | `%s` | %,d | `%s` |%n",
                        result.bug().name(),
                        result.bug().kind(),
                        found.seed(),
                        found.rule()));
            }
        }
        return table.toString();
    }

    private void write(String table) {
        Path page = root.resolve("lab/simulation/README.md");
        try {
            String text = Files.readString(page);
            int begin = text.indexOf(BEGIN);
            int end = text.indexOf(END, begin);
            if (begin < 0 || end < 0) {
                throw new IllegalStateException(page + " has no lines '" + BEGIN + "' and '" + END + "' for the table");
            }
            Files.writeString(
                    page, text.substring(0, begin + BEGIN.length()) + "\n\n" + table + "\n" + text.substring(end));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write the table to " + page, e);
        }
    }
}
