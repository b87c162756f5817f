package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.ClassArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Starts the command as a process of its own, with a store of its own in a directory of the test. */
public final class Cli {

    /** As the launcher sets them. */
    private static final List<String> FLAGS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx128m",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Dfile.encoding=UTF-8");

    private static final String NATIVE = "native";

    private final Path directory;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> jvmArguments = new ArrayList<>();
    private int started;

    public Cli(Path directory) {
        this.directory = directory;
        environment.put("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    /** Sets a variable for the processes started after. */
    public Cli with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Cli withJvmArgument(String argument) {
        jvmArguments.add(argument);
        return this;
    }

    /** The file of the default store. */
    Path storeFile() {
        return directory.resolve("state/interlock/locks.db");
    }

    /** A client of that store in this process, which is as patient as the command. */
    Interlock client() {
        return Client.open(StoreUri.sqlite(storeFile()), "test");
    }

    /** Runs the command to its end. */
    public Result run(String... arguments) {
        return start(arguments).result();
    }

    /** Starts the command. */
    public Running start(String... arguments) {
        return start(command(arguments));
    }

    /** The command line of the JVM that runs the command. */
    List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of(
                "-XX:SharedArchiveFile=" + Archived.COMMAND.file(),
                "-Dinterlock.archive=" + Archived.COMMAND.file(),
                "-Dorg.sqlite.lib.path=" + Archived.COMMAND.folder().resolve(NATIVE),
                "-Djava.io.tmpdir=" + directory));
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", Archived.COMMAND.classPath(), Main.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** As {@link #command(String...)}, with a program to run. */
    List<String> command(List<String> words, List<String> program) {
        return command(Stream.concat(words.stream(), program.stream()).toArray(String[]::new));
    }

    Running start(List<String> command) {
        started++;
        Path out = directory.resolve("out-" + started);
        Path err = directory.resolve("err-" + started);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove(DefaultStore.VARIABLE);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.outputWriter().close();
            return new Running(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A process that was started.
     *
     * @param out the file with its standard output
     * @param err the file with its standard error
     */
    public record Running(Process process, Path out, Path err) {

        /** Waits for the end. */
        public Result result() {
            try {
                if (!process.waitFor(Patience.seconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("still running after " + Patience.seconds() + " s; out: " + read(out)
                            + "; err: " + read(err));
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new Result(process.exitValue(), read(out), read(err));
        }

        /** Waits until the process has printed this. */
        public void awaitOutput(String text) {
            await(out, text);
        }

        /** Waits until the process has printed this on standard error. */
        public void awaitError(String text) {
            await(err, text);
        }

        private void await(Path printed, String text) {
            Awaitility.await().pollInterval(20, TimeUnit.MILLISECONDS).until(() -> {
                assertThat(process.isAlive() || read(printed).contains(text))
                        .as("ended with %s %s", read(out), read(err))
                        .isTrue();
                return read(printed).contains(text);
            });
        }
    }

    /** How a process ended and what it printed. */
    public record Result(int exitCode, String out, String err) {

        /** The lines on standard error. */
        public List<String> errorLines() {
            return err.lines().toList();
        }

        /** Asserts the exit code, and shows what was printed if it is another. */
        public Result exited(int expected) {
            assertThat(exitCode).as("exit code; out: %s; err: %s", out, err).isEqualTo(expected);
            return this;
        }
    }

    static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Made when it is first asked for. */
    private static final class Archived {

        static final ClassArchive COMMAND = ClassArchive.trained("command", FLAGS, Warmup.class, Archived::arguments);

        private static List<String> arguments(Path folder) {
            try {
                return List.of(
                        Files.createDirectory(folder.resolve(NATIVE)).toString(),
                        Files.createDirectory(folder.resolve("training")).toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
