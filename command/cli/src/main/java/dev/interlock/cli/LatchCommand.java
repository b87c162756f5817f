package dev.interlock.cli;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock latch}, with its subcommands. */
@Command(
        name = "latch",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Count down to zero, and wait for it: a latch that processes share.",
        synopsisSubcommandLabel = "(set | down | wait)",
        subcommands = {LatchCommand.Set.class, LatchCommand.Down.class, LatchCommand.Wait.class},
        footer = {
            "",
            "A latch that nobody has set, or used for a day, is at zero. 'show NAME' tells its count and who waits.",
            "Exit code: 0; 64 wrong usage; 69 store unavailable; 75 the latch is not at zero, or the wait is over."
        })
final class LatchCommand implements Runnable {

    private static final String NAME = "The latch: 1 to 512 bytes of UTF-8.";

    @Override
    public void run() {
        throw CommandException.usage("what to do with the latch is missing; allowed are set, down and wait");
    }

    private static Interlock connect(CommonOptions common, String name) {
        CommonOptions.checkedName(name);
        return common.connect(common.store(), "interlock latch");
    }

    /** {@code interlock latch set}. */
    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Set the count, if it is zero.")
    static final class Set implements Callable<Integer> {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Parameters(index = "0", paramLabel = "NAME", description = NAME)
        private String name = "";

        @Parameters(index = "1", paramLabel = "COUNT", description = "From how much to count down, 1 or more.")
        private int count;

        @Override
        public Integer call() {
            if (count < 1) {
                throw CommandException.usage("COUNT must be 1 or more: " + count);
            }
            try (Interlock interlock = connect(common, name)) {
                if (interlock.latch(name).trySetCount(count)) {
                    return ExitCode.OK;
                }
                common.log("'" + name + "' is not at zero");
                return ExitCode.BUSY;
            }
        }
    }

    /** {@code interlock latch down}. */
    @Command(
            name = "down",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Take one off the count, unless it is zero.")
    static final class Down implements Runnable {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Override
        public void run() {
            try (Interlock interlock = connect(common, name)) {
                interlock.latch(name).countDown();
            }
        }
    }

    /** {@code interlock latch wait}. */
    @Command(
            name = "wait",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Wait until the count is zero.")
    static final class Wait implements Callable<Integer> {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Option(
                names = {"-w", "--wait"},
                paramLabel = "DURATION",
                converter = DurationConverter.class,
                description = "Give up after this time. Default: wait without limit.")
        private @Nullable Duration wait;

        @Parameters(paramLabel = "NAME", description = NAME)
        private String name = "";

        @Override
        public Integer call() throws InterruptedException {
            try (Interlock interlock = connect(common, name)) {
                DistributedLatch latch = interlock.latch(name);
                if (wait == null) {
                    latch.await();
                    return ExitCode.OK;
                }
                return latch.await(wait) ? ExitCode.OK : ExitCode.BUSY;
            }
        }
    }
}
