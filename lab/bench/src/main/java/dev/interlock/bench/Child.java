package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A child JVM that reads lines and answers each with a line. */
final class Child implements AutoCloseable {

    private final Process process;
    private final Path errors;
    private final BufferedReader answers;
    private final Writer orders;

    private Child(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts the class in a JVM like this one, with this class path; its standard error goes to a file. */
    static Child start(Class<?> main, String classPath, List<String> arguments) {
        return start(List.of(), List.of(), main, classPath, arguments);
    }

    /**
     * Starts the class in a JVM like this one, with this class path; its standard error goes to a file.
     *
     * @param prefix the words of a command that starts the JVM
     * @param options for the JVM
     */
    static Child start(
            List<String> prefix, List<String> options, Class<?> main, String classPath, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-Xmx512m", "-cp", classPath, main.getName()));
        command.addAll(arguments);
        try {
            Path errors = Files.createTempFile(Scratch.directory(), "worker-", ".err");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new Child(process, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** This JVM's class path. */
    static String classPath() {
        // A test runner may hide the real class path behind a jar with nothing but a manifest.
        String real = System.getProperty("surefire.test.class.path");
        return real != null ? real : System.getProperty("java.class.path");
    }

    /**
     * The class path of a child that runs an earlier build, whose classes the environment variable
     * {@code INTERLOCK_BASELINE} names; null if it does not.
     */
    static @Nullable String baseline() {
        String classes = System.getenv("INTERLOCK_BASELINE");
        return classes == null ? null : classes + File.pathSeparator + classPath();
    }

    /** This JVM's class path without the entries in whose file names one of these texts occurs. */
    static String classPathWithout(List<String> texts) {
        List<String> kept = new ArrayList<>();
        for (String entry : classPath().split(File.pathSeparator, -1)) {
            if (texts.stream().noneMatch(entry::contains)) {
                kept.add(entry);
            }
        }
        return String.join(File.pathSeparator, kept);
    }

    /** Sends one line. */
    void send(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /**
     * Waits for the next line, which must begin with this word.
     *
     * @return what follows the word and a space; empty if nothing does
     */
    String expect(String word) {
        try {
            String line = answers.readLine();
            if (line == null || !line.startsWith(word)) {
                throw failure(new IOException("expected '" + word + "' but got '" + line + "'"));
            }
            return line.substring(word.length()).strip();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** The processor time that it has taken; zero where the system does not tell. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends its input, and then the process if that does not end it. */
    @Override
    public void close() {
        try {
            orders.close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private IllegalStateException failure(IOException cause) {
        try {
            // The stack trace of a dying child may still be on its way into the file.
            process.waitFor(2, TimeUnit.SECONDS);
            return new IllegalStateException("A worker failed: " + Files.readString(errors), cause);
        } catch (IOException e) {
            return new IllegalStateException("A worker failed", cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("A worker failed", cause);
        }
    }
}
