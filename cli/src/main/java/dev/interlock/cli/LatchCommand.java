package dev.interlock.cli;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock latch}: what to do with it is a subcommand. */
@Command(
        name = "latch",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "(set | down | wait)",
        description = "Count down to zero, and wait for it: a latch that processes share.",
        footer = {
            "",
            "A latch that nobody has set, or used for a day, is at zero. 'show NAME' tells its count and who waits.",
            "Exit code: 0; 64 wrong usage; 69 store unavailable; 75 the latch is set already, or the wait is over."
        })
final class LatchCommand implements Runnable {

    private static final String NAME = "The latch: 1 to 512 bytes of UTF-8.";

    @Override
    public void run() {
        throw Complaint.usage("what to do with the latch is missing; allowed are set, down and wait");
    }

    @Command(name = "set", mixinStandardHelpOptions = true, description = "Set the count, if it is zero.")
    int set(
            @Mixin CommonOptions common,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Parameters(paramLabel = "COUNT", description = "From how much to count down, 1 or more.") int count) {
        if (count < 1) {
            throw Complaint.usage("COUNT must be 1 or more: " + count);
        }
        try (Interlock interlock = connect(common, name)) {
            if (interlock.latch(name).trySetCount(count)) {
                return ExitCode.OK;
            }
            common.tell("'" + name + "' is not at zero");
            return ExitCode.BUSY;
        }
    }

    @Command(name = "down", mixinStandardHelpOptions = true, description = "Take one off the count, unless it is zero.")
    int down(@Mixin CommonOptions common, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        try (Interlock interlock = connect(common, name)) {
            interlock.latch(name).countDown();
            return ExitCode.OK;
        }
    }

    @Command(name = "wait", mixinStandardHelpOptions = true, description = "Wait until the count is zero.")
    int await(
            @Mixin CommonOptions common,
            @Option(
                            names = {"-w", "--wait"},
                            paramLabel = "DURATION",
                            converter = Durations.class,
                            description = "Give up after this time. Default: wait without limit.")
                    @Nullable
                    Duration wait,
            @Parameters(paramLabel = "NAME", description = NAME) String name)
            throws InterruptedException {
        try (Interlock interlock = connect(common, name)) {
            DistributedLatch latch = interlock.latch(name);
            if (wait == null) {
                latch.await();
                return ExitCode.OK;
            }
            return latch.await(wait) ? ExitCode.OK : ExitCode.BUSY;
        }
    }

    private static Interlock connect(CommonOptions common, String name) {
        CommonOptions.checkedName(name);
        return common.connect(common.store(), "interlock latch");
    }
}
