package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which locks a list has. */
final class ListOptions {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most locks to list. Default: ${DEFAULT-VALUE}")
    private int limit = 1000;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "How the names begin. Default: all.")
    private String prefix = "";

    void check() {
        if (limit < 1) {
            throw CommandException.usage("--limit must be 1 or more: " + limit);
        }
    }

    int limit() {
        return limit;
    }

    /** Asks the store. */
    List<LockStatus> look(Interlock interlock) {
        try {
            return interlock.list(prefix, limit);
        } catch (UnsupportedOperationException e) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE, "this store cannot list its locks; 'interlock show NAME' looks at one", e);
        }
    }
}
