package dev.interlock.cli;

import dev.interlock.Lease;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.Printable;
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

    /** The launcher has put this before the names of variables that are the program's and must not reach this JVM. */
    private static final String KEPT = "il_kept_";

    /** Where the launcher has this JVM believe to be if the real directory has been removed. */
    private static final String NOWHERE = "/dev/null";

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
        if (words.get(0).startsWith("-") && !words.get(0).equals(SEPARATOR)) {
            throw CommandException.usage("options go before NAME, and '" + words.get(0)
                    + "' stands behind it; allowed is: "
                    + "interlock " + subcommand + " [OPTION...] NAME [--] COMMAND [ARG...], with -- before a program"
                    + " whose name begins with a hyphen");
        }
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
            if (!isNowhere()) {
                checkExecutable();
            }
            RunningProgram started = starter.start(words.size(), lease.token(), store.withoutPassword());
            if (started != null) {
                return started;
            }
        }
        if (isNowhere()) {
            throw new CommandException(
                    ExitCode.NOT_EXECUTABLE,
                    "'" + given() + "' cannot be started here, for the current directory has been removed; change to"
                            + " one that exists",
                    null);
        }
        if (Processes.isFirst()) {
            System.err.println("interlock: nobody removes the processes that '" + Printable.of(given())
                    + "' leaves behind, for this is the first process of its container; start that with an init"
                    + " (docker run --init), or install coreutils 8.31 or later");
        }
        return RunningProgram.of(child(lease, store));
    }

    /** Only the starter is still in the directory that has been removed. */
    private static boolean isNowhere() {
        return NOWHERE.equals(System.getProperty("user.dir"));
    }

    private Process child(Lease lease, StoreUri store) {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        Map<String, String> environment = builder.environment();
        restoreLocale(environment);
        restoreKept(environment);
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

    private static void restoreKept(Map<String, String> environment) {
        List<String> kept = environment.keySet().stream()
                .filter(name -> name.startsWith(KEPT))
                .toList();
        for (String name : kept) {
            environment.put(name.substring(KEPT.length()), String.valueOf(environment.remove(name)));
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
