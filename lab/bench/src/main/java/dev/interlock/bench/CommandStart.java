package dev.interlock.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The row about the command: the time of {@code ./interlock run x -- true} on its default store, from its start to its
 * end, and that of {@code java -version} in turn with it.
 */
final class CommandStart {

    private static final double MOST_MILLIS = 400;

    /** A JVM that does nothing is the least that a command in Java can take. */
    private static final double MOST_TIMES_JAVA = 3;

    private final Path launcher;
    private final int starts;
    private final Path state = Scratch.file("state").toAbsolutePath();

    /**
     * Starts nothing yet.
     *
     * @param launcher the script
     * @param starts how often it is measured
     */
    CommandStart(Path launcher, int starts) {
        this.launcher = launcher.toAbsolutePath();
        this.starts = starts;
    }

    /** Starts both once, which builds what the command needs and makes the store, and then as often as is measured. */
    Section run() {
        List<String> command = List.of(launcher.toString(), "run", "x", "--", "true");
        List<String> java =
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version");
        start(command);
        start(java);
        List<Double> commandMillis = new ArrayList<>();
        List<Double> javaMillis = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            commandMillis.add(start(command));
            javaMillis.add(start(java));
        }
        double median = Median.of(commandMillis);
        double timesJava = median / Median.of(javaMillis);
        return new Section(
                "C1: `./interlock run x -- true` on the default store",
                List.of(
                        "| | median ms | least | most | starts |",
                        "|---|--:|--:|--:|--:|",
                        row("`./interlock run x -- true`", commandMillis),
                        row("`java -version`", javaMillis)),
                List.of(
                        Verdict.atMost("C1", "from start to end, median", median, MOST_MILLIS, " ms"),
                        Verdict.atMost(
                                "C1", "from start to end, median", timesJava, MOST_TIMES_JAVA, " × `java -version`")));
    }

    private static String row(String name, List<Double> millis) {
        return "| " + name + " | " + Verdict.number(Median.of(millis)) + " | "
                + Verdict.number(Collections.min(millis)) + " | " + Verdict.number(Collections.max(millis)) + " | "
                + millis.size() + " |";
    }

    /** On the default store, but not where the user of this machine has it; returns the milliseconds until the end. */
    private double start(List<String> words) {
        ProcessBuilder command = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                .redirectError(errors(words));
        command.environment().remove("INTERLOCK_STORE");
        command.environment().put("XDG_STATE_HOME", state.toString());
        try {
            long startNanos = System.nanoTime();
            int exitCode = command.start().waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException(String.join(" ", words) + " exited with " + exitCode);
            }
            return (System.nanoTime() - startNanos) / 1e6;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the command ran", e);
        }
    }

    /** Java prints its version on standard error. */
    private ProcessBuilder.Redirect errors(List<String> words) {
        return words.get(0).equals(launcher.toString())
                ? ProcessBuilder.Redirect.INHERIT
                : ProcessBuilder.Redirect.to(new File("/dev/null"));
    }
}
