package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every subcommand. */
final class CommonOptions {

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = {
                "Where the locks are: sqlite:/path/to/file or redis://[user:password@]host[:port][/db], rediss:// "
                        + "for TLS,",
                "or zk:// or etcd://[user:password@]host[:port],.../path, or mongodb://[user:password@]host[:port]/db,",
                "or a JDBC URL, jdbc:postgresql://[user:password@]host[:port]/db; for MariaDB, MySQL and H2 with the "
                        + "driver's jar in $$INTERLOCK_CLASSPATH.",
                "Default: $$INTERLOCK_STORE, else SQLite at $${XDG_STATE_HOME:-~/.local/state}/interlock/locks.db"
            })
    private @Nullable String store;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say what happens, and the cause of an error.")
    private boolean verbose;

    /** For {@link PlainRun}, as are all methods of this name. */
    boolean take(String option) {
        boolean taken = !verbose && (option.equals("-v") || option.equals("--verbose"));
        verbose |= taken;
        return taken;
    }

    /** Takes an option with its value. */
    boolean take(String option, String value) {
        boolean taken = store == null && option.equals("--store");
        store = taken ? value : store;
        return taken;
    }

    boolean verbose() {
        return verbose;
    }

    /** The store as given, or null. */
    @Nullable
    StoreUri givenStore() {
        return store == null ? null : StoreUri.checked(store, "--store");
    }

    /** The store to use: as given, or from the environment, or the default, which is created. */
    StoreUri store() {
        StoreUri given = givenStore();
        return given == null ? DefaultStore.locate(System.getenv()) : given;
    }

    /** A client of the store. */
    Interlock connect(StoreUri uri, String application) {
        if (verbose) {
            Logging.forwardWarnings(
                    warning -> System.err.println("interlock: " + ErrorReporter.line(warning, List.of(uri.value()))));
        }
        return Client.open(uri, application);
    }

    /** Checks a name. */
    static String checkedName(String name) {
        try {
            return LockId.lock(name).name();
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Prints a line on standard error, with {@code --verbose}. */
    void log(String line) {
        if (verbose) {
            System.err.println("interlock: " + Printable.of(line));
        }
    }
}
