package dev.interlock.cli;

import dev.interlock.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever goes wrong into one line on standard error and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    private final String[] arguments;

    /** @param arguments of the command, which a message may repeat */
    Failures(String... arguments) {
        this.arguments = arguments.clone();
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String name = spec.qualifiedName();
        String message = String.valueOf(e.getMessage());
        String allowed =
                e instanceof UnmatchedArgumentException ? "allowed are " + options(spec) : usage(e.getCommandLine());
        boolean verbose =
                Arrays.asList(args).contains("-v") || Arrays.asList(args).contains("--verbose");
        return report(Complaint.usage(name + ": " + message + "; " + allowed), verbose);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, @Nullable ParseResult parsed) {
        boolean verbose = command.getParseResult().hasMatchedOption("--verbose");
        if (e instanceof Complaint complaint) {
            return report(complaint, verbose);
        }
        // What a store cannot do, or will not do for this name: the reason is in the message.
        if (e instanceof UnsupportedOperationException || e instanceof IllegalStateException) {
            return report(new Complaint(ExitCode.UNAVAILABLE, String.valueOf(e.getMessage()), e), verbose);
        }
        if (e instanceof StoreUnavailableException) {
            return report(new Complaint(ExitCode.UNAVAILABLE, unavailable(e), e), verbose);
        }
        return report(new Complaint(ExitCode.DEFECT, "unexpected failure: " + e, e), verbose);
    }

    /** Prints the complaint and returns its exit code. */
    int report(Complaint complaint, boolean verbose) {
        System.err.println("interlock: " + line(String.valueOf(complaint.getMessage())));
        if (verbose) {
            for (Throwable cause : causes(complaint)) {
                System.err.println("interlock:   caused by " + line(cause.toString()));
            }
        }
        return complaint.exitCode();
    }

    private String line(String message) {
        return line(message, known());
    }

    /** A message as it may go to a terminal: one line, with no password and nothing that controls. */
    static String line(String message, Collection<String> known) {
        return Plain.of(StoreUri.hidePasswords(message, known).strip().replaceAll("\\s*+\\R\\s*+", "; "));
    }

    /** What may be the URI of a store. */
    private List<String> known() {
        List<String> known = new ArrayList<>();
        for (String argument : arguments) {
            known.add(argument.startsWith("--store=") ? argument.substring("--store=".length()) : argument);
        }
        known.add(System.getenv().getOrDefault(DefaultStore.VARIABLE, ""));
        return known;
    }

    /** The store's words and, as they often only say that something took too long, those of the innermost cause. */
    private static String unavailable(Exception e) {
        List<Throwable> causes = causes(e);
        String message = "the store is unavailable: " + e.getMessage();
        String root = causes.isEmpty() ? null : causes.get(causes.size() - 1).getMessage();
        return root == null || message.contains(root) ? message : message + " (" + root + ")";
    }

    private static List<Throwable> causes(Throwable e) {
        List<Throwable> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = e.getCause(); cause != null && seen.add(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static String options(CommandSpec spec) {
        return spec.options().stream().map(OptionSpec::longestName).collect(Collectors.joining(", "));
    }

    private static String usage(CommandLine command) {
        String synopsis = command.getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
        return "allowed is: " + synopsis;
    }
}
