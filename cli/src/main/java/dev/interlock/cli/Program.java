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
import java.util.concurrent.TimeUnit;

/**
 * The program that {@code run} and {@code lead} start: a child process with the same standard streams, without a shell.
 */
final class Program {

    /** The value of LC_ALL before the launcher changed it for this JVM to use UTF-8. */
    private static final String LOCALE_PROPERTY = "interlock.lc_all";

    private static final long KILL_AFTER_SECONDS = 5;

    private Program() {}

    /**
     * The program and its arguments, without the separator before them.
     *
     * @param subcommand for the message
     */
    static List<String> checked(String subcommand, List<String> given) {
        List<String> command = given.get(0).equals("--") ? given.subList(1, given.size()) : given;
        if (command.isEmpty() || command.get(0).isEmpty()) {
            throw CommandException.usage("the program to run is missing; allowed is: interlock " + subcommand
                    + " [OPTION...] NAME [--] COMMAND [ARG...]");
        }
        return command;
    }

    /** The application that {@code ls} and {@code show} print for the holder. */
    static String name(List<String> command) {
        try {
            Path file = Path.of(command.get(0)).getFileName();
            return file == null ? command.get(0) : file.toString();
        } catch (InvalidPathException e) {
            return command.get(0);
        }
    }

    /** What the program learns of its lock. */
    static Map<String, String> variables(Lease lease, StoreUri store) {
        return Map.of(
                "INTERLOCK_NAME",
                lease.name(),
                "INTERLOCK_TOKEN",
                String.valueOf(lease.token()),
                DefaultStore.VARIABLE,
                store.withoutPassword());
    }

    /**
     * Starts the program.
     *
     * @param variables added to the environment of this process
     */
    static Process start(List<String> command, Map<String, String> variables) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        restoreLocale(builder.environment());
        builder.environment().putAll(variables);
        try {
            return builder.start();
        } catch (IOException e) {
            String name = command.get(0);
            throw exists(name)
                    ? new CommandException(
                            ExitCode.NOT_EXECUTABLE,
                            "'" + name + "' cannot be executed; allowed is an executable file",
                            e)
                    : new CommandException(
                            ExitCode.NOT_FOUND,
                            "'" + name + "' is not found; allowed is a path or a program on the PATH",
                            e);
        }
    }

    /** Waits for the end and returns the exit code: 128 + the signal's number if one ended it. */
    static int await(Process process) {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                // Only the program's end ends this wait, because its lock is held until then.
                Thread.interrupted();
            }
        }
    }

    /** Sends TERM, and KILL if the program has not ended after 5 s. */
    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(KILL_AFTER_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
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

    private static boolean exists(String name) {
        try {
            if (name.contains(File.separator)) {
                return Files.exists(Path.of(name));
            }
            String path = System.getenv().getOrDefault("PATH", "");
            for (String directory : path.split(File.pathSeparator, -1)) {
                if (!name.isEmpty() && Files.exists(Path.of(directory, name))) {
                    return true;
                }
            }
            return false;
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
