package dev.interlock.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs the command in this JVM, where a process for each of many small cases would take too long. Not for {@code run},
 * which takes over the signals of its JVM.
 */
final class InProcess {

    /** The launcher's note of which standard streams are terminals. */
    private static final String TERMINALS = "interlock.terminals";

    private InProcess() {}

    /** As on a terminal, where somebody types this. */
    static Cli.Result onTerminal(String typed, String... arguments) {
        InputStream in = System.in;
        String terminals = System.getProperty(TERMINALS, "");
        System.setIn(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
        System.setProperty(TERMINALS, "02");
        try {
            return run(arguments);
        } finally {
            System.setIn(in);
            System.setProperty(TERMINALS, terminals);
        }
    }

    static Cli.Result run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream newOut = new ByteArrayOutputStream();
        ByteArrayOutputStream newErr = new ByteArrayOutputStream();
        System.setOut(new PrintStream(newOut, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(newErr, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute(arguments);
            return new Cli.Result(
                    exitCode, newOut.toString(StandardCharsets.UTF_8), newErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
