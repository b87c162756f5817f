package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A server's process: stopped and continued by signal, killed in any case when this JVM ends. */
final class ServerProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private final Thread hook;

    /** Starts it with this text as its standard input; its output goes to the file. */
    ServerProcess(List<String> command, String input, Path log) throws IOException {
        this(command, input, log, false);
    }

    /** The same, for one that is to be asked to end before it is killed when this JVM ends: it would leave something behind. */
    @SuppressWarnings("this-escape") // to a hook, which runs after the constructor
    ServerProcess(List<String> command, String input, Path log, boolean isAsked) throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        hook = new Thread(
                () -> {
                    if (isAsked) {
                        interrupt();
                    }
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

    /** Returns when the kernel says that the process is stopped. */
    void stop() {
        signal("STOP");
        Awaitility.await("process " + pid() + " is stopped")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> state() == 'T');
    }

    /** Returns when the kernel says that the process is no longer stopped. */
    void cont() {
        signal("CONT");
        Awaitility.await("process " + pid() + " runs")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> state() != 'T');
    }

    /** Ends it at once and returns when it is gone. */
    void kill() {
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

    /** Waits until it ends by itself; its status. */
    int status() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The process does not end: pid=" + pid());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a process: pid=" + pid(), e);
        }
    }

    /** Asks it by SIGINT to end, and returns when it has, or after some seconds. */
    void interrupt() {
        try {
            if (process.isAlive() && state() != 'T') {
                signal("INT");
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

    /** Ends it and all that it has started, and returns when they are gone: first it, so that it starts no others. */
    void killTree() {
        List<ProcessHandle> children = process.descendants().toList();
        kill();
        children.forEach(ProcessHandle::destroyForcibly);
        Awaitility.await("the children of " + pid() + " are gone")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Stops it and all that it has started; returns when the kernel says that they are stopped. */
    void stopTree() {
        stop();
        tree().forEach(handle -> signal("STOP", handle.pid()));
        Awaitility.await("the children of " + pid() + " are stopped")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> tree().allMatch(handle -> state(handle.pid()) == 'T'));
    }

    /** Lets it and all that it has started run on. */
    void contTree() {
        tree().forEach(handle -> signal("CONT", handle.pid()));
        cont();
    }

    private Stream<ProcessHandle> tree() {
        return process.descendants();
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

    private void signal(String name) {
        signal(name, pid());
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
