package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The entry point of the command. */
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        int exitCode = execute(args);
        Starter.dismiss();
        System.exit(exitCode);
    }

    /** Runs the command. */
    static int execute(String... args) {
        Logging.silence();
        ErrorReporter errors = new ErrorReporter(args);
        try {
            Arguments.check(args);
            RunCommand plain = PlainRun.parse(args);
            if (plain != null) {
                return plain.execute(errors);
            }
            int exitCode = CommandLines.execute(errors, args);
            // For run this concerns only its help: its program has the standard output for itself.
            return exitCode == ExitCode.OK && System.out.checkError() ? unwritten(errors) : exitCode;
        } catch (CommandException e) {
            return errors.report(e, false);
        }
    }

    /** {@code System.out} does not say why writing failed: writing one more byte does. */
    private static int unwritten(ErrorReporter errors) {
        String reason = "";
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                return ExitCode.UNREAD;
            }
            reason = " (" + e.getMessage() + ")";
        }
        return errors.report(
                new CommandException(
                        ExitCode.UNWRITTEN,
                        "the output cannot be written" + reason + "; allowed is a file or a pipe that takes it",
                        null),
                false);
    }
}
