package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The store without {@code --store}: {@code $INTERLOCK_STORE}, or an SQLite file of this user. */
final class DefaultStore {

    static final String VARIABLE = "INTERLOCK_STORE";

    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private DefaultStore() {}

    static StoreUri locate(Map<String, String> environment) {
        String named = environment.get(VARIABLE);
        if (named != null && !named.isEmpty()) {
            return StoreUri.checked(named, VARIABLE);
        }
        Path file = stateHome(environment).resolve("interlock").resolve("locks.db");
        create(file);
        return StoreUri.sqlite(file);
    }

    /** Where consoles write what they have seen; it need not exist. */
    static Path history(Map<String, String> environment) {
        return stateHome(environment).resolve("interlock").resolve("console.db");
    }

    /** As the XDG base directory specification demands, a path that is not absolute is ignored. */
    private static Path stateHome(Map<String, String> environment) {
        String state = environment.get("XDG_STATE_HOME");
        if (state != null && Path.of(state).isAbsolute()) {
            return Path.of(state);
        }
        String home = environment.get("HOME");
        Path base =
                home != null && Path.of(home).isAbsolute() ? Path.of(home) : Path.of(System.getProperty("user.home"));
        // Java returns ? for a user without a home directory. Each working directory would have a store of its own.
        if (!base.isAbsolute()) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE,
                    "there is no place for the files of this user: HOME is not set and this user has no home directory;"
                            + " allowed is --store, " + VARIABLE + " or an absolute XDG_STATE_HOME",
                    null);
        }
        return base.resolve(".local").resolve("state");
    }

    /** Creates the file before the database does, so that others cannot read it at any time. */
    private static void create(Path file) {
        try {
            if (Files.exists(file)) {
                return;
            }
            Files.createDirectories(file.getParent(), PRIVATE_DIRECTORY);
            Files.createFile(file, PRIVATE_FILE);
        } catch (FileAlreadyExistsException e) {
            // Another process was faster, or a part of the path is a file.
            if (!Files.exists(file)) {
                throw unusable(file, e);
            }
        } catch (IOException e) {
            throw unusable(file, e);
        }
    }

    private static CommandException unusable(Path file, IOException cause) {
        return new CommandException(
                ExitCode.UNAVAILABLE,
                "the store " + file + " cannot be created (" + reason(cause)
                        + "); allowed is a place that you may write, by --store, " + VARIABLE + " or XDG_STATE_HOME",
                cause);
    }

    private static String reason(IOException cause) {
        return cause.getClass().getSimpleName().replace("Exception", "") + ": " + cause.getMessage();
    }
}
