package dev.interlock.cli;

import dev.interlock.cli.demo.Demo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code interlock demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Four processes increment the number in a shared file, with nothing to protect it but one lock.",
            "One holder is killed, another one is stopped past its lease and writes late; a table shows what came of it.",
            "Without --store it uses a SQLite file of its own. Exits with 1 if a number is wrong."
        })
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        return Demo.run(common.givenStore()) ? ExitCode.OK : ExitCode.FAILED;
    }
}
