package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock ls}. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "List the locks that are held now, and the latches that are not at zero.")
final class LsCommand implements Runnable {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--json", description = "Print an array of objects, as 'show --json' prints one.")
    private boolean json;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most locks to list. Default: ${DEFAULT-VALUE}")
    private int limit = 1000;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "How the names begin. Default: all.")
    private String prefix = "";

    @Override
    public void run() {
        if (limit < 1) {
            throw CommandException.usage("--limit must be 1 or more: " + limit);
        }
        List<LockStatus> locks;
        try (Interlock interlock = common.connect(common.store(), "interlock ls")) {
            locks = interlock.list(prefix, limit);
        } catch (UnsupportedOperationException e) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE, "this store cannot list its locks; 'interlock show NAME' looks at one", e);
        }
        System.out.print(
                json ? Json.of(locks.stream().map(StatusView::json).toList()) + "\n" : StatusView.table(locks));
        if (locks.size() == limit) {
            common.log("the list may go on: it has --limit " + limit + " entries");
        }
    }
}
