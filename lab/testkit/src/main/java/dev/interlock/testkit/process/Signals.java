package dev.interlock.testkit.process;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Signals to a process by its id, and its state as the kernel tells it. Linux only: the state is read from
 * {@code /proc}.
 */
public final class Signals {

    /** The state of a process that SIGSTOP has reached. */
    public static final char STOPPED = 'T';

    /** The state of a process that is dead but not reaped. */
    public static final char ZOMBIE = 'Z';

    /** What {@link #state} says of a process that does not exist. */
    public static final char GONE = '-';

    private static final Duration PATIENCE = Patience.FULL;

    private Signals() {}

    /**
     * Sends a signal.
     *
     * @param signal its name without SIG, such as {@code STOP}
     * @throws IllegalStateException if it could not be sent
     */
    public static void send(String signal, long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (!kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + signal + " " + pid + " failed: " + output.trim());
            }
        } catch (IOException e) {
            throw new IllegalStateException("kill -" + signal + " " + pid + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending " + signal + " to " + pid, e);
        }
    }

    /** Stops the process, and returns when the kernel says that all of it stands still. */
    public static void stop(long pid) {
        send("STOP", pid);
        awaitState(pid, STOPPED, true);
    }

    /** Lets a stopped process go on, and returns when the kernel says that it does. */
    public static void resume(long pid) {
        send("CONT", pid);
        awaitState(pid, STOPPED, false);
    }

    /** The state letter from {@code /proc}, or {@link #GONE}. */
    public static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name in parentheses may itself contain anything.
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // Not there, or it ended between opening and reading.
            return GONE;
        }
    }

    private static void awaitState(long pid, char state, boolean wanted) {
        long start = System.nanoTime();
        while ((state(pid) == state) != wanted) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("Process " + pid + " is in state " + state(pid) + ", expected "
                        + (wanted ? "" : "anything but ") + state);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
