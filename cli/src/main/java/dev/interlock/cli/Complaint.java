package dev.interlock.cli;

import org.jspecify.annotations.Nullable;

/** What ends the command with a message of one line and an exit code. */
public final class Complaint extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** A complaint about something that went wrong below. */
    public Complaint(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** A complaint about the command line. */
    public static Complaint usage(String message) {
        return new Complaint(ExitCode.USAGE, message, null);
    }

    /** The exit code of the command. */
    public int exitCode() {
        return exitCode;
    }
}
