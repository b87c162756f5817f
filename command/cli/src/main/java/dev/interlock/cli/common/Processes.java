package dev.interlock.cli.common;

import java.io.IOException;

/** Sends signals that the JDK cannot send: it can send only TERM and KILL. */
public final class Processes {

    private Processes() {}

    /** Stops the process until {@link #resume}. */
    public static void stop(Process process) {
        send("STOP", process.pid());
    }

    /** Continues a stopped process. */
    public static void resume(Process process) {
        send("CONT", process.pid());
    }

    /** Whether this is the first process of a container, to which all are left whose parents have ended. */
    public static boolean isFirst() {
        return ProcessHandle.current().pid() == 1;
    }

    /** Sends a signal by its name, by the built-in command of the shell, which every POSIX system has. */
    public static void send(String signal, long pid) {
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal, String.valueOf(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.DEFECT, "cannot send " + signal + " to process " + pid + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
