package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code interlock} without a subcommand: help and version. */
@Command(
        name = "interlock",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Locks between processes, on one machine or many.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Environment:",
            "  INTERLOCK_STORE   the store, if --store is not given; else SQLite at",
            "                    $${XDG_STATE_HOME:-~/.local/state}/interlock/locks.db",
            "",
            "Start with 'interlock demo', or 'interlock run my-lock -- make backup'."
        })
final class RootCommand implements Callable<Integer> {

    private static final String BEGINNING =
            """
            Locks between processes, on one machine or many.

              interlock demo                            see it at work, for 12 seconds
              interlock run my-lock -- make backup      hold a lock while a program runs
              interlock ls                              who holds what now
              interlock doctor                          whether the store is fit for locks
              interlock COMMAND --help                  what a command can do

            The locks are in a file of yours. --store or INTERLOCK_STORE names a server,
            as in INTERLOCK_STORE=redis://host:6379.
            """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** It is wrong usage in any case: in a script, a program has not been run whose name was empty. */
    @Override
    public Integer call() {
        String commands = String.join(", ", spec.subcommands().keySet());
        if (!Terminal.isRead()) {
            throw CommandException.usage("a command is missing; allowed are " + commands);
        }
        System.err.print(BEGINNING + "Commands: " + commands + "\n");
        return ExitCode.USAGE;
    }
}
