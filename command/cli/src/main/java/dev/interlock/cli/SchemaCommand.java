package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.jdbc.JdbcStore;
import dev.interlock.jdbc.Schema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code interlock schema}. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Print the SQL that makes the tables, for Flyway, Liquibase or a person who may run it.")
final class SchemaCommand implements Runnable {

    @Option(
            names = "--dialect",
            paramLabel = "DIALECT",
            required = true,
            description = "postgresql, mariadb, mysql, h2 or sqlite.")
    private String dialect = "";

    @Option(
            names = "--prefix",
            paramLabel = "WORD",
            defaultValue = JdbcStore.DEFAULT_PREFIX,
            description = "How the names of the tables begin. Default: ${DEFAULT-VALUE}")
    private String prefix = JdbcStore.DEFAULT_PREFIX;

    @Override
    public void run() {
        try {
            System.out.print(Schema.script(dialect, prefix));
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
