package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.StoreUri;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code interlock top}. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Show the locks that are held, and keep showing them.",
        footer = {
            "",
            "Keys: q ends; s sorts by the next of time held, waiters, rest of the lease and name; r reverses;",
            "/ filters by a text, which Return ends and Escape clears; arrows, Page Up and Page Down scroll.",
            "Without a terminal it prints a table each second."
        })
final class TopCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            defaultValue = "held",
            description = "held, waiting, lease or name. Default: ${DEFAULT-VALUE}")
    private TopOrder order = TopOrder.HELD;

    @Override
    public Integer call() throws InterruptedException {
        list.check();
        StoreUri store = common.store();
        try (Interlock interlock = common.connect(store, "interlock top")) {
            return new LiveList(store.withoutPassword(), () -> list.look(interlock)).show(order);
        }
    }
}
