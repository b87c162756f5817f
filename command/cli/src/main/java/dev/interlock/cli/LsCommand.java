package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.console.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code interlock ls}. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "List the locks that are held now, and the latches that are not at zero.")
final class LsCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    @Option(
            names = "--json",
            description = "Print an array of objects, as 'show --json' prints one. If there are more than --limit, "
                    + "the last is {\"more\":true,\"limit\":N,\"total\":ALL}, without the total above 10000 and with "
                    + "--watch.")
    private boolean json;

    @Option(
            names = "--watch",
            description = "Go on: show the list in place on a terminal, as 'top --sort name'; elsewhere print it each "
                    + "second.")
    private boolean watch;

    @Override
    public Integer call() throws InterruptedException {
        list.check();
        StoreUri store = common.store();
        try (Interlock interlock = common.connect(store, "interlock ls")) {
            if (watch) {
                LiveList live = new LiveList(store.withoutPassword(), () -> list.look(interlock));
                return json ? live.print(LsCommand::json) : live.show(TopOrder.NAME);
            }
            Listing locks = list.lookAndCount(interlock);
            System.out.print(json ? json(locks) : StatusView.table(locks.locks(), Colours.ofOutput()) + locks.rest());
        }
        return ExitCode.OK;
    }

    private static String json(Listing locks) {
        return Json.of(locks.json()) + "\n";
    }
}
