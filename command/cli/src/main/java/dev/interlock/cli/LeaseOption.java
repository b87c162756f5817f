package dev.interlock.cli;

import dev.interlock.LeaseTerm;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the lease of a lock that is held while a program runs. */
final class LeaseOption {

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description =
                    "How long the lock stays if this machine dies; renewed every third of it. 50ms to 365d. Default: "
                            + "30s")
    private @Nullable Duration length;

    /** Takes the option with its value. */
    boolean take(String option, String value) {
        boolean taken = length == null && option.equals("--lease");
        length = taken ? Durations.parse(value) : length;
        return taken;
    }

    LeaseTerm term() {
        try {
            return length == null ? LeaseTerm.renewing() : LeaseTerm.renewing(length);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, "--lease: allowed is 50ms to 365d: " + length, e);
        }
    }
}
