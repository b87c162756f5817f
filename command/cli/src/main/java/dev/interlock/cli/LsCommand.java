package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.console.Json;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
            names = "--sort",
            paramLabel = "ORDER",
            defaultValue = "name",
            description = "held, waiting, lease or name. Default: ${DEFAULT-VALUE}")
    private TopOrder order = TopOrder.NAME;

    @Option(
            names = "--older-than",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Only the locks that somebody has held for longer.")
    private @Nullable Duration olderThan;

    @Option(
            names = "--watch",
            description = "Go on: show the list in place on a terminal, as 'top'; elsewhere print it each second.")
    private boolean watch;

    @Override
    public Integer call() throws InterruptedException {
        list.check();
        StoreUri store = common.store();
        try (Interlock interlock = common.connect(store, "interlock ls")) {
            if (watch) {
                LiveList live = new LiveList(store.withoutPassword(), () -> look(interlock));
                return json ? live.print(LsCommand::json) : live.show(order);
            }
            Listing locks = isArranged() ? look(interlock) : list.lookAndCount(interlock);
            System.out.print(json ? json(locks) : StatusView.table(locks.locks(), Colours.ofOutput()) + rest(locks));
        }
        return ExitCode.OK;
    }

    private boolean isArranged() {
        return order != TopOrder.NAME || olderThan != null;
    }

    private String rest(Listing locks) {
        return isArranged() && locks.goesOn() && locks.total() == null
                ? "not all names were looked at: give a PREFIX\n"
                : locks.rest();
    }

    private Listing look(Interlock interlock) {
        return isArranged() ? list.lookFor(interlock, order, olderThan) : list.look(interlock);
    }

    private static String json(Listing locks) {
        return Json.of(locks.json()) + "\n";
    }
}
