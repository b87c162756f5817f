package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for how long to wait, and how to end when the wait is over. */
final class WaitOptions {

    @Option(
            names = {"-n", "--no-wait"},
            description = "Give up at once if the lock is busy.")
    private boolean noWait;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Give up after this time. Default: wait without limit.")
    private @Nullable Duration wait;

    @Option(
            names = {"-E", "--busy-exit-code"},
            paramLabel = "CODE",
            defaultValue = "" + ExitCode.BUSY,
            description = "The exit code when giving up, 0 to 255. Default: ${DEFAULT-VALUE}")
    private int busyExitCode = ExitCode.BUSY;

    /** Takes an option without a value. */
    boolean take(String option) {
        boolean taken = !noWait && (option.equals("-n") || option.equals("--no-wait"));
        noWait |= taken;
        return taken;
    }

    /** Takes an option with its value. */
    boolean take(String option, String value) {
        boolean taken = wait == null && (option.equals("-w") || option.equals("--wait"));
        wait = taken ? Durations.parse(value) : wait;
        return taken;
    }

    /** Refuses options that exclude each other or are out of range. */
    void check() {
        if (noWait && wait != null) {
            throw CommandException.usage("-n and -w exclude each other; allowed is one of them");
        }
        if (busyExitCode < 0 || busyExitCode > 255) {
            throw CommandException.usage("-E must be an exit code from 0 to 255: " + busyExitCode);
        }
    }

    /** How long to wait; zero for one attempt, null without limit. */
    @Nullable
    Duration limit() {
        return noWait ? Duration.ZERO : wait;
    }

    boolean noWait() {
        return noWait;
    }

    int busyExitCode() {
        return busyExitCode;
    }
}
