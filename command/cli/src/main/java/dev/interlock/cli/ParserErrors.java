package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What picocli could not parse, in the words of the command. */
final class ParserErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** Words that others use, and what is meant here. */
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("lock", "run"),
            Map.entry("acquire", "run"),
            Map.entry("hold", "run"),
            Map.entry("exec", "run"),
            Map.entry("with", "run"),
            Map.entry("elect", "lead"),
            Map.entry("list", "ls"),
            Map.entry("ps", "ls"),
            Map.entry("locks", "ls"),
            Map.entry("status", "show"),
            Map.entry("info", "show"),
            Map.entry("get", "show"),
            Map.entry("inspect", "show"),
            Map.entry("release", "unlock"),
            Map.entry("force-unlock", "unlock"),
            Map.entry("watch", "top"),
            Map.entry("monitor", "top"),
            Map.entry("check", "doctor"),
            Map.entry("ping", "doctor"),
            Map.entry("ui", "console"),
            Map.entry("web", "console"),
            Map.entry("deadlock", "waits"),
            Map.entry("deadlocks", "waits"),
            Map.entry("blocked", "waits"),
            Map.entry("log", "history"));

    private final ErrorReporter errors;

    ParserErrors(ErrorReporter errors) {
        this.errors = errors;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, @Nullable ParseResult parsed) {
        return errors.failed(e, command.getParseResult().hasMatchedOption("--verbose"));
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String message = e instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched)
                : e.getMessage() + "; " + usage(e.getCommandLine());
        boolean verbose =
                Arrays.asList(args).contains("-v") || Arrays.asList(args).contains("--verbose");
        return errors.report(CommandException.usage(subject(e.getCommandLine()) + message), verbose);
    }

    /** The subcommand with a colon; nothing for the command itself, which each message names anyway. */
    private static String subject(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        int blank = name.indexOf(' ');
        return blank < 0 ? "" : name.substring(blank + 1) + ": ";
    }

    private static String unmatched(UnmatchedArgumentException e) {
        CommandLine command = e.getCommandLine();
        String argument = e.getUnmatched().get(0);
        if (e.isUnknownOption()) {
            String options = command.getCommandSpec().options().stream()
                    .map(OptionSpec::longestName)
                    .collect(Collectors.joining(", "));
            return "there is no option '" + argument + "'" + nearest(e) + "; allowed are " + options;
        }
        Set<String> commands = command.getSubcommands().keySet();
        return commands.isEmpty()
                ? "'" + argument + "' is one argument too many; " + usage(command)
                : "there is no command '" + argument + "'" + nearest(e) + "; allowed are "
                        + String.join(", ", commands);
    }

    /** The name that is meant, or most like what was written, if one is. */
    private static String nearest(UnmatchedArgumentException e) {
        String argument = e.getUnmatched().get(0);
        String meant = MEANT.get(argument);
        return Stream.concat(
                        Stream.ofNullable(meant).filter(e.getCommandLine().getSubcommands()::containsKey),
                        e.getSuggestions().stream().filter(name -> isLike(name, argument)))
                .findFirst()
                .map(name -> " (did you mean '" + name + "'?)")
                .orElse("");
    }

    /**
     * The parser suggests every name with two letters in common, and all options have two hyphens. A command that
     * contains what was written may do the opposite, as unlock does of lock.
     */
    private static boolean isLike(String name, String argument) {
        String written = letters(argument);
        return letters(name).regionMatches(true, 0, written, 0, 1) || (name.startsWith("-") && name.contains(written));
    }

    private static String letters(String argument) {
        return argument.replaceFirst("^-+", "");
    }

    private static String usage(CommandLine command) {
        Help plain = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
        String synopsis = plain.synopsis(0).replaceAll("\\s+", " ").strip();
        return "allowed is: " + synopsis;
    }
}
