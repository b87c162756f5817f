package dev.interlock.cli;

import java.util.Objects;
import picocli.CommandLine;

/** The entry of the command. */
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs the command. */
    static int execute(String... args) {
        Logging.silence();
        Failures failures = new Failures();
        CommandLine command = new CommandLine(new RootCommand())
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
        Objects.requireNonNull(command.getSubcommands().get("run")).setStopAtPositional(true);
        try {
            Arguments.check(args);
            return command.execute(args);
        } catch (Complaint complaint) {
            return failures.report(complaint, false);
        }
    }
}
