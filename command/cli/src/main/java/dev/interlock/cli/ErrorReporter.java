package dev.interlock.cli;

import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Colours.Role;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Reports every failure as one line on standard error and an exit code. */
final class ErrorReporter {

    private final String[] arguments;

    /** @param arguments the arguments of the command, which a message may repeat */
    ErrorReporter(String... arguments) {
        this.arguments = arguments.clone();
    }

    /** Reports what has ended a command. */
    int failed(Exception e, boolean verbose) {
        if (e instanceof CommandException exception) {
            return report(exception, verbose);
        }
        // The store cannot do this, or not for this name. The message says why.
        if (e instanceof UnsupportedOperationException || e instanceof IllegalStateException) {
            return report(new CommandException(ExitCode.UNAVAILABLE, String.valueOf(e.getMessage()), e), verbose);
        }
        if (e instanceof StoreUnavailableException) {
            return report(new CommandException(ExitCode.UNAVAILABLE, unavailable(e), e), verbose);
        }
        return report(new CommandException(ExitCode.DEFECT, "unexpected failure: " + e, e), verbose);
    }

    /** Prints the message and returns the exit code. */
    int report(CommandException exception, boolean verbose) {
        String name = Colours.ofErrors().paint(Role.BAD, "interlock:");
        System.err.println(name + " " + line(String.valueOf(exception.getMessage())));
        if (verbose) {
            for (Throwable cause : causes(exception)) {
                System.err.println("interlock:   caused by " + line(cause.toString()));
            }
        }
        return exception.exitCode();
    }

    private String line(String message) {
        return line(message, known());
    }

    /** A message that is safe on a terminal: one line, without passwords and control characters. */
    static String line(String message, Collection<String> known) {
        return Printable.of(StoreUri.hidePasswords(message, known).strip().replaceAll("\\s*+\\R\\s*+", "; "));
    }

    /** The arguments and the variable that may be the URI of a store. */
    private List<String> known() {
        List<String> known = new ArrayList<>();
        for (String argument : arguments) {
            known.add(argument.startsWith("--store=") ? argument.substring("--store=".length()) : argument);
        }
        known.add(System.getenv().getOrDefault(DefaultStore.VARIABLE, ""));
        return known;
    }

    /** That the store is unavailable, and why. */
    static String unavailable(Exception e) {
        return "the store is unavailable: " + withCause(e);
    }

    /** The message, and that of the innermost cause, because the first often says only that an answer was late. */
    static String withCause(Exception e) {
        List<Throwable> causes = causes(e);
        String message = String.valueOf(e.getMessage());
        String root = causes.isEmpty() ? null : causes.get(causes.size() - 1).getMessage();
        return root == null || oneLine(message).contains(oneLine(root)) ? message : message + " (" + root + ")";
    }

    /** A store may have quoted the cause in one line. */
    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    private static List<Throwable> causes(Throwable e) {
        List<Throwable> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = e.getCause(); cause != null && seen.add(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
