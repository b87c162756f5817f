package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import picocli.CommandLine.Command;

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
final class RootCommand implements Runnable {

    @Override
    public void run() {
        throw CommandException.usage(
                "a command is missing; allowed are run, ls, show, unlock, latch, demo, schema, completion and help");
    }
}
