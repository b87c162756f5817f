package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A server's process and all that it starts: stopped and continued by signal, killed in any case when this JVM ends.
 */
final class ServerProcess {

    private static final Duration PATIENCE = Patience.FULL;

    private final Process process;
    private final boolean isAsked;
    private final Thread hook;

    /**
     * Starts it with this text as its standard input; its output goes to the file.
     *
     * @param environment variables that it gets besides ours
     * @param isAsked whether it is asked to end before it is killed at its end: it would leave something behind
     */
    @SuppressWarnings("this-escape") // to a hook, which runs after the constructor
    ServerProcess(List<String> command, Map<String, String> environment, String input, Path log, boolean isAsked)
            throws IOException {
        this.isAsked = isAsked;
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        hook = new Thread(
                () -> {
                    ask();
                    process.destroyForcibly();
                },
                "kill-" + process.pid());
        Runtime.getRuntime().addShutdownHook(hook);
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns when the kernel says that it is stopped: first its first process, so that it starts no others. */
    void stop() {
        signal("STOP", pid());
        awaitThat("is stopped", () -> state() == 'T');
        tree().forEach(handle -> signal("STOP", handle.pid()));
        // A child that has ended in between, as one of Redis that writes a snapshot, is not taken leave of while its
        // parent stands still.
        awaitThat("is stopped with its children", () -> tree().mapToInt(handle -> state(handle.pid()))
                .allMatch(state -> state == 'T' || state == 'Z'));
    }

    /** Returns when the kernel says that its first process is no longer stopped. */
    void cont() {
        tree().forEach(handle -> signal("CONT", handle.pid()));
        signal("CONT", pid());
        awaitThat("runs", () -> state() != 'T');
    }

    /** Ends it at once and returns when it is gone: first its first process, so that it starts no others. */
    void kill() {
        List<ProcessHandle> children = tree().toList();
        killFirst();
        children.forEach(ProcessHandle::destroyForcibly);
        awaitThat("is gone with its children", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private void killFirst() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The process survived SIGKILL: pid=" + pid());
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            if (process.isAlive()) {
                throw e;
            }
            // The JVM is ending and its hooks run already: there is nothing left to remove.
        }
    }

    /** Asks it to end if it is to be asked, and ends it. */
    void end() {
        ask();
        kill();
    }

    /** Waits until it ends by itself; its status. */
    int status() {
        try {
            if (!process.waitFor(Patience.seconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The process does not end: pid=" + pid());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a process: pid=" + pid(), e);
        }
    }

    /** Asks it by SIGINT to end, if it is to be asked, and returns when it has, or after some seconds. */
    private void ask() {
        try {
            if (isAsked && process.isAlive() && state() != 'T') {
                signal("INT", pid());
                process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException | UncheckedIOException e) {
            if (process.isAlive()) {
                throw e;
            }
            // It has ended by itself meanwhile.
        }
    }

    private Stream<ProcessHandle> tree() {
        return process.descendants();
    }

    private void awaitThat(String expected, Callable<Boolean> condition) {
        Awaitility.await("process " + pid() + " " + expected)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(condition);
    }

    /** The state letter in /proc/pid/stat; it follows the command's name, which is in parentheses. */
    char state() {
        return state(pid());
    }

    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException("The process is gone: pid=" + pid, e);
        }
    }

    private static void signal(String name, long pid) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("The signal was refused: signal=" + name + ", pid=" + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending a signal: pid=" + pid, e);
        }
    }
}
