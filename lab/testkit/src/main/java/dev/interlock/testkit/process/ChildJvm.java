package dev.interlock.testkit.process;

import dev.interlock.testkit.Patience;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs a main class of this JVM's class path, with a line protocol over its standard input and output
 * ({@link ChildMain} is its other side). Lines of its standard error appear in this process's. Closing kills it; so
 * does the end of this JVM.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration EXIT_PATIENCE = Patience.FULL;
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    /** What ends the queue of lines. */
    private static final String END = "\u0000end of output";

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly), "child-jvm-killer"));
    }

    private final Process process;
    private final String label;
    private final BufferedWriter input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    private final Thread reader;

    private ChildJvm(Process process, String label) {
        this.process = process;
        this.label = label;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = new Thread(this::readLines, "lines of " + label);
        reader.setDaemon(true);
    }

    /** Starts {@code main} with these arguments. */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return start(main, List.of(), List.of(arguments));
    }

    /** Starts {@code main} with options for its JVM, such as {@code -Xmx64m}. */
    public static ChildJvm start(Class<?> main, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Small and quick to start: a test starts several of them. The compiler's classes need no verification.
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-Xmx256m"));
        for (String property :
                List.of("interlock.effort", "interlock.target", "interlock.unpacked", "java.io.tmpdir", "redis.bin")) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            ALIVE.add(process);
            ChildJvm child = new ChildJvm(process, main.getSimpleName() + " " + process.pid());
            child.reader.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("The JVM for " + main.getName() + " did not start", e);
        }
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs, or is stopped. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends one line to its standard input. */
    public void send(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(label + " did not take the line '" + line + "'", e);
        }
    }

    /**
     * Waits for the next line that begins so, and skips others.
     *
     * @return what follows the beginning, without white space around it
     * @throws AssertionError if the child ends or the time is over before; with the lines until then
     */
    public String await(String beginning, Duration timeout) {
        long start = System.nanoTime();
        while (true) {
            long left = timeout.toNanos() - (System.nanoTime() - start);
            String line = poll(left);
            if (line == null || line.equals(END)) {
                throw new AssertionError(label + (line == null ? " was silent for " + timeout : " ended")
                        + " before a line that begins with '" + beginning + "'; its last lines: " + lastLines());
            }
            seen.add(line);
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length()).trim();
            }
        }
    }

    /** SIGSTOP; returns when the kernel says that it is stopped. */
    public void stop() {
        Signals.stop(pid());
    }

    /** SIGCONT; returns when the kernel says that it runs. */
    public void resume() {
        Signals.resume(pid());
    }

    /** SIGKILL; returns when it is dead. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(EXIT_PATIENCE);
    }

    /**
     * Waits for its end.
     *
     * @return its exit code; 128 and the signal's number if a signal ended it
     * @throws AssertionError if it does not end in time
     */
    public int awaitExit(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError(
                        label + " has not ended after " + timeout + "; its last lines: " + lastLines());
            }
            ALIVE.remove(process);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while " + label + " ended", e);
        }
    }

    /** Kills it if it still runs, and waits for its end. */
    @Override
    public void close() {
        kill();
    }

    private List<String> lastLines() {
        return seen.subList(Math.max(0, seen.size() - 5), seen.size());
    }

    private @Nullable String poll(long nanos) {
        try {
            return lines.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for " + label, e);
        }
    }

    private void readLines() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("output broke off: " + e);
        } finally {
            lines.add(END);
        }
    }

    /** That of the children. The test runner may hide it behind a jar with nothing but a manifest. */
    public static String classPath() {
        String real = System.getProperty("surefire.test.class.path");
        return real != null ? real : System.getProperty("java.class.path");
    }
}
