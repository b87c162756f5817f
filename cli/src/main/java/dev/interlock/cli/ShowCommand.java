package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
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
            description = "Print an object: name, locked, holders, waiters. Times are in milliseconds.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Override
    public void run() {
        CommonOptions.checkedName(name);
        LockStatus status;
        try (Interlock interlock = common.connect(common.store(), "interlock show")) {
            status = CommonOptions.lock(interlock, name).inspect();
        }
        System.out.print(json ? Json.of(StatusView.json(status)) + "\n" : StatusView.text(status));
    }
}
