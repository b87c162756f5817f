package dev.interlock.cli;

import dev.interlock.cli.common.Colours;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;

/** The command lines that there are, for picocli. Nothing of it is loaded for {@link PlainRun}. */
final class CommandLines {

    private CommandLines() {}

    /** Parses the arguments and runs the command that they name; returns the exit code. */
    static int execute(ErrorReporter errors, String... args) {
        ParserErrors handler = new ParserErrors(errors);
        return parser(args.length == 0 ? "" : args[0])
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setColorScheme(Help.defaultColorScheme(Colours.ofOutput() == Colours.ON ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(handler)
                .setExecutionExceptionHandler(handler)
                .execute(args);
    }

    /**
     * The command line with only the named subcommand, if there is one: reading the annotations of all of them takes a
     * considerable part of the start.
     */
    static CommandLine parser(String first) {
        CommandLine root = new CommandLine(new RootCommand());
        switch (first) {
            case "run" -> root.addSubcommand(starting(new RunCommand()));
            case "lead" -> root.addSubcommand(starting(new LeadCommand()));
            case "ls" -> root.addSubcommand(new LsCommand());
            case "doctor" -> root.addSubcommand(new DoctorCommand());
            case "top" -> root.addSubcommand(new TopCommand());
            case "wait" -> root.addSubcommand(new WaitCommand());
            case "waits" -> root.addSubcommand(new WaitsCommand());
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
                        .addSubcommand(new WaitsCommand())
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
