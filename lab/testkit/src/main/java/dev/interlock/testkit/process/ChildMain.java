package dev.interlock.testkit.process;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The child's side of {@link ChildJvm}: lines in, lines out. */
public final class ChildMain {

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private final PrintStream output =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    /** Sends a line to the parent. */
    public synchronized void say(String line) {
        output.println(line);
    }

    /** The next line from the parent; null when it has closed its side. */
    public @Nullable String hear() {
        try {
            return input.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    /** Waits for one line; ends this process if the parent is gone, so that no child outlives its test. */
    public String hearOrDie() {
        String line = hear();
        if (line == null) {
            Runtime.getRuntime().halt(3);
            throw new AssertionError("halted");
        }
        return line;
    }

    /** Ends this process when the parent closes its side or is gone; for children that do not listen otherwise. */
    public void dieWithParent() {
        Thread watch = new Thread(
                () -> {
                    while (hear() != null) {
                        // Nothing is expected but the end.
                    }
                    Runtime.getRuntime().halt(3);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
