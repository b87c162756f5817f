package dev.interlock.cli;

import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.cli.demo.Demo;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code interlock demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Four processes increment the number in a shared file, with nothing to protect it but one lock.",
            "One holder is killed, another one is stopped past its lease and writes late; a table shows what came of "
                    + "it.",
            "Without --store it uses a SQLite file of its own. Exits with 1 if a number is wrong."
        })
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    private final Predicate<@Nullable StoreUri> demonstration;

    DemoCommand() {
        this(Demo::run);
    }

    /** Another demonstration, which returns whether all numbers were right. */
    DemoCommand(Predicate<@Nullable StoreUri> demonstration) {
        this.demonstration = demonstration;
    }

    @Override
    public Integer call() {
        return demonstration.test(common.givenStore()) ? ExitCode.OK : ExitCode.FAILED;
    }
}
