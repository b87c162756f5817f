package dev.interlock.cli.common;

import org.jspecify.annotations.Nullable;

/** Ends the command with a message of one line and an exit code. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** A failure with a cause. */
    public CommandException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** An error in the command line. */
    public static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message, null);
    }

    /** The exit code of the command. */
    public int exitCode() {
        return exitCode;
    }
}
