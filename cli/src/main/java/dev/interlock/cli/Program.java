package dev.interlock.cli;

import dev.interlock.Lease;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program that {@code run} and {@code lead} start. The {@link Starter} starts it, if there is one; otherwise it is
 * a child of this process.
 */
final class Program {

    /** The value of LC_ALL before the launcher changed it for this JVM to use UTF-8. */
    private static final String LOCALE_PROPERTY = "interlock.lc_all";

    private static final String SEPARATOR = "--";

    /** All that stands behind NAME on the command line. */
    private final List<String> words;

    private final List<String> command;

    private Program(List<String> words, List<String> command) {
        this.words = words;
        this.command = command;
    }

    /**
     * The program that the words behind NAME name.
     *
     * @param subcommand for the message if they name none
     */
    static Program of(String subcommand, List<String> words) {
        List<String> command = words.get(0).equals(SEPARATOR) ? words.subList(1, words.size()) : words;
        if (command.isEmpty() || command.get(0).isEmpty()) {
            throw CommandException.usage("the program to run is missing; allowed is: interlock " + subcommand
                    + " [OPTION...] NAME [--] COMMAND [ARG...]");
        }
        return new Program(words, command);
    }

    /** As it was typed. */
    String given() {
        return command.get(0);
    }

    /** The application that {@code ls} and {@code show} print for the holder. */
    String application() {
        try {
            Path file = Path.of(given()).getFileName();
            return file == null ? given() : file.toString();
        } catch (InvalidPathException e) {
            return given();
        }
    }

    /**
     * Starts the program, with variables that tell it about its lock.
     *
     * @throws CommandException if it is not found or cannot be executed
     */
    RunningProgram start(Lease lease, StoreUri store) {
        Starter starter = Starter.find();
        if (starter != null) {
            // It would leave the message to a program that has no other purpose than to start this one.
            checkExecutable();
            RunningProgram started = starter.start(words.size(), lease.token(), store.withoutPassword());
            if (started != null) {
                return started;
            }
        }
        return RunningProgram.of(child(lease, store));
    }

    private Process child(Lease lease, StoreUri store) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        restoreLocale(environment);
        environment.put("INTERLOCK_NAME", lease.name());
        environment.put("INTERLOCK_TOKEN", String.valueOf(lease.token()));
        environment.put(DefaultStore.VARIABLE, store.withoutPassword());
        try {
            return builder.start();
        } catch (IOException e) {
            throw exists() ? notExecutable(e) : notFound(e);
        }
    }

    private static void restoreLocale(Map<String, String> environment) {
        String before = System.getProperty(LOCALE_PROPERTY);
        if (before == null) {
            return;
        }
        if (before.startsWith("=")) {
            environment.put("LC_ALL", before.substring(1));
        } else {
            environment.remove("LC_ALL");
        }
    }

    private void checkExecutable() {
        if (candidates().stream().noneMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file))) {
            throw exists() ? notExecutable(null) : notFound(null);
        }
    }

    private boolean exists() {
        return candidates().stream().anyMatch(Files::exists);
    }

    /** Where the system looks for it. */
    private List<Path> candidates() {
        try {
            if (given().contains(File.separator)) {
                return List.of(Path.of(given()));
            }
            String path = System.getenv().getOrDefault("PATH", "");
            return List.of(path.split(File.pathSeparator, -1)).stream()
                    .map(directory -> Path.of(directory, given()))
                    .toList();
        } catch (InvalidPathException e) {
            return List.of();
        }
    }

    private CommandException notExecutable(@Nullable IOException cause) {
        return new CommandException(
                ExitCode.NOT_EXECUTABLE, "'" + given() + "' cannot be executed; allowed is an executable file", cause);
    }

    private CommandException notFound(@Nullable IOException cause) {
        return new CommandException(
                ExitCode.NOT_FOUND,
                "'" + given() + "' is not found; allowed is a path or a program on the PATH",
                cause);
    }
}
