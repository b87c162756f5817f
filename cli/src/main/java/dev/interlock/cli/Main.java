package dev.interlock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

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
        Failures failures = new Failures(args);
        CommandLine command = commandLine(args.length == 0 ? "" : args[0])
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
        try {
            Arguments.check(args);
            int exitCode = command.execute(args);
            // Of run it is help that may be lost here: its program writes for itself.
            return exitCode == ExitCode.OK && System.out.checkError() ? unwritten(failures) : exitCode;
        } catch (Complaint complaint) {
            return failures.report(complaint, false);
        }
    }

    /** {@code System.out} does not tell why it could not be written: one byte more shows it. */
    private static int unwritten(Failures failures) {
        String reason = "";
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                return ExitCode.UNREAD;
            }
            reason = " (" + e.getMessage() + ")";
        }
        return failures.report(
                new Complaint(
                        ExitCode.UNWRITTEN,
                        "the output cannot be written" + reason + "; allowed is a file or a pipe that takes it",
                        null),
                false);
    }

    /**
     * Only the named subcommand, if it is one: to read the annotations of all of them takes a good part of the whole
     * start.
     */
    private static CommandLine commandLine(String first) {
        CommandLine root = new CommandLine(new RootCommand());
        switch (first) {
            case "run" -> root.addSubcommand(run());
            case "ls" -> root.addSubcommand(new LsCommand());
            case "show" -> root.addSubcommand(new ShowCommand());
            case "unlock" -> root.addSubcommand(new UnlockCommand());
            case "latch" -> root.addSubcommand(new LatchCommand());
            case "demo" -> root.addSubcommand(new DemoCommand());
            case "schema" -> root.addSubcommand(new SchemaCommand());
            default ->
                root.addSubcommand(run())
                        .addSubcommand(new LsCommand())
                        .addSubcommand(new ShowCommand())
                        .addSubcommand(new UnlockCommand())
                        .addSubcommand(new LatchCommand())
                        .addSubcommand(new DemoCommand())
                        .addSubcommand(new SchemaCommand())
                        .addSubcommand(new HelpCommand());
        }
        return root;
    }

    /** Its options end at the name: what follows belongs to the program. */
    private static CommandLine run() {
        return new CommandLine(new RunCommand()).setStopAtPositional(true);
    }
}
