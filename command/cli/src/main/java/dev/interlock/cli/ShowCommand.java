package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.cli.common.Colours;
import dev.interlock.console.Json;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Show who holds a lock and who waits for it.")
final class ShowCommand implements Runnable {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--json",
            description = "Print an object: name, kind, locked, holders, waiters. Times are in milliseconds.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Override
    public void run() {
        CommonOptions.checkedName(name);
        List<LockStatus> used;
        try (Interlock interlock = common.connect(common.store(), "interlock show")) {
            used = interlock.administration().inspect(name);
        }
        // In most cases there is one. A name that is used as two kinds of lock at the same time has both.
        for (LockStatus status : used.isEmpty() ? List.of(new LockStatus(name, List.of(), List.of())) : used) {
            System.out.print(
                    json ? Json.of(StatusView.json(status)) + "\n" : StatusView.text(status, Colours.ofOutput()));
        }
    }
}
