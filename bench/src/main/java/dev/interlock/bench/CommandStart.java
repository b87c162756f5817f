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
 * end.
 */
final class CommandStart {

    private static final double MOST_MILLIS = 400;

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

    /** Starts it once to build what it needs and to make the store, and then as often as it is measured. */
    Section run() {
        start();
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            long startNanos = System.nanoTime();
            start();
            millis.add((System.nanoTime() - startNanos) / 1e6);
        }
        String line = "| " + Verdict.number(Median.of(millis)) + " | " + Verdict.number(Collections.min(millis)) + " | "
                + Verdict.number(Collections.max(millis)) + " | " + starts + " |";
        return new Section(
                "C1: `./interlock run x -- true` on the default store",
                List.of("| median ms | least | most | starts |", "|--:|--:|--:|--:|", line),
                List.of(Verdict.atMost("C1", "from start to end, median", Median.of(millis), MOST_MILLIS, " ms")));
    }

    /** The default store, but not where the user of this machine has it. */
    private void start() {
        ProcessBuilder command = new ProcessBuilder(launcher.toString(), "run", "x", "--", "true")
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        command.environment().remove("INTERLOCK_STORE");
        command.environment().put("XDG_STATE_HOME", state.toString());
        try {
            int exitCode = command.start().waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException(launcher + " exited with " + exitCode);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the command ran", e);
        }
    }
}
