package dev.interlock.cli;

import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;

/** The entry point of the command. */
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        int exitCode = execute(args);
        Starter.dismiss();
        System.exit(exitCode);
    }

    /** Runs the command. */
    static int execute(String... args) {
        Logging.silence();
        ErrorReporter errors = new ErrorReporter(args);
        CommandLine command = commandLine(args.length == 0 ? "" : args[0])
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setColorScheme(Help.defaultColorScheme(Colours.ofOutput() == Colours.ON ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        try {
            Arguments.check(args);
            int exitCode = command.execute(args);
            // For run this concerns only its help: its program has the standard output for itself.
            return exitCode == ExitCode.OK && System.out.checkError() ? unwritten(errors) : exitCode;
        } catch (CommandException e) {
            return errors.report(e, false);
        }
    }

    /** {@code System.out} does not say why writing failed: writing one more byte does. */
    private static int unwritten(ErrorReporter errors) {
        String reason = "";
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                return ExitCode.UNREAD;
            }
            reason = " (" + e.getMessage() + ")";
        }
        return errors.report(
                new CommandException(
                        ExitCode.UNWRITTEN,
                        "the output cannot be written" + reason + "; allowed is a file or a pipe that takes it",
                        null),
                false);
    }

    /**
     * The command line with only the named subcommand, if there is one: reading the annotations of all of them takes a
     * considerable part of the start.
     */
    static CommandLine commandLine(String first) {
        CommandLine root = new CommandLine(new RootCommand());
        switch (first) {
            case "run" -> root.addSubcommand(starting(new RunCommand()));
            case "lead" -> root.addSubcommand(starting(new LeadCommand()));
            case "ls" -> root.addSubcommand(new LsCommand());
            case "doctor" -> root.addSubcommand(new DoctorCommand());
            case "top" -> root.addSubcommand(new TopCommand());
            case "wait" -> root.addSubcommand(new WaitCommand());
            case "console" -> root.addSubcommand(new ConsoleCommand());
            case "history" -> root.addSubcommand(new HistoryCommand());
            case "show" -> root.addSubcommand(new ShowCommand());
            case "unlock" -> root.addSubcommand(new UnlockCommand());
            case "latch" -> root.addSubcommand(new LatchCommand());
            case "demo" -> root.addSubcommand(new DemoCommand());
            case "schema" -> root.addSubcommand(new SchemaCommand());
            default ->
                root.addSubcommand(starting(new RunCommand()))
                        .addSubcommand(starting(new LeadCommand()))
                        .addSubcommand(new LsCommand())
                        .addSubcommand(new ShowCommand())
                        .addSubcommand(new WaitCommand())
                        .addSubcommand(new TopCommand())
                        .addSubcommand(new ConsoleCommand())
                        .addSubcommand(new HistoryCommand())
                        .addSubcommand(new DoctorCommand())
                        .addSubcommand(new UnlockCommand())
                        .addSubcommand(new LatchCommand())
                        .addSubcommand(new DemoCommand())
                        .addSubcommand(new SchemaCommand())
                        .addSubcommand("completion", new GenerateCompletion())
                        .addSubcommand(new HelpCommand());
        }
        return root;
    }

    /** The options of a command that starts a program end at the name: what follows belongs to the program. */
    private static CommandLine starting(Object command) {
        return new CommandLine(command).setStopAtPositional(true);
    }
}
