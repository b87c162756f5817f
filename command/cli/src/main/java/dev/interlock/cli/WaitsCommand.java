package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.console.Json;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code interlock waits}. */
@Command(
        name = "waits",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Show who waits for whom, those who wait for each other first.",
        footer = {
            "",
            "It looks at the names that begin with PREFIX, and knows of no other. Where some wait for each other, it",
            "looks again a second later, and calls a deadlock what is still there."
        })
final class WaitsCommand implements Callable<Integer> {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    @Option(
            names = "--json",
            description = "Print an object: complete, deadlocks, names. A name is as 'show --json' prints it, and "
                    + "complete is false if there are more than --limit.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        list.check();
        try (Interlock interlock = common.connect(common.store(), "interlock waits")) {
            Waits waits = Waits.of(list.look(interlock));
            if (!waits.circles().isEmpty()) {
                Thread.sleep(PAUSE.toMillis());
                waits = waits.confirmedBy(list.look(interlock));
            }
            System.out.print(json ? Json.of(WaitsView.json(waits)) + "\n" : WaitsView.text(waits, Colours.ofOutput()));
        }
        return ExitCode.OK;
    }
}
