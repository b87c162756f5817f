package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;

/** Describes an error of a lock file in one line, with what to do about it. */
public final class SqliteErrors {

    private static final int PERM = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private SqliteErrors() {}

    public static StoreUnavailableException explained(SQLException e, String file) {
        Path path = Path.of(file);
        String problem =
                switch (e.getErrorCode()) {
                    case BUSY, LOCKED ->
                        "The lock file was busy for over " + WaitLimits.LOCK_WAIT.toMillis()
                                + " ms: another process keeps a transaction open in it";
                    case NOTADB -> "The lock file is not an SQLite database: name another file, or remove this one";
                    case CORRUPT -> "The lock file is damaged: end the processes that use it and remove it";
                    case FULL -> "The disk of the lock file is full: free some space";
                    case PERM, READONLY, CANTOPEN, IOERR -> access(path);
                    default -> "The lock file cannot be used";
                };
        return new StoreUnavailableException(problem + ": path=" + path + " (" + oneLine(e) + ")", e);
    }

    /** Whether the next statement would fail in the same way: because of the file, and not of others who use it. */
    public static boolean isRefusal(SQLException e) {
        return switch (e.getErrorCode()) {
            case PERM, READONLY, CORRUPT, FULL, CANTOPEN, NOTADB -> true;
            default -> false;
        };
    }

    /** Describes why a file could not be created. */
    static StoreUnavailableException explained(IOException e, Path path) {
        String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
        return new StoreUnavailableException(
                access(path) + ": path=" + path + " ("
                        + (reason == null ? e.getClass().getSimpleName() : reason) + ")",
                e);
    }

    /** Describes what is wrong with the path, by looking at the file system. */
    private static String access(Path path) {
        Path directory = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path)) {
            return "The lock file is a directory: name a file in it";
        }
        if (directory != null && !Files.isDirectory(directory)) {
            if (Files.notExists(directory)) {
                return "The directory of the lock file does not exist: create it";
            }
            return Files.exists(directory)
                    ? "The lock file cannot be in something that is no directory: name another place"
                    : "The directory of the lock file cannot be reached by this user: change the mode or owner of those"
                            + " above it, or name another place";
        }
        if (Files.exists(path) && !Files.isReadable(path)) {
            return "The lock file is not readable for this user: change its mode or owner, or name another file";
        }
        if (Files.exists(path) && !Files.isWritable(path)) {
            return "The lock file is read-only for this user: change its mode or owner, or name another file";
        }
        if (directory != null && !Files.isWritable(directory)) {
            return "The directory of the lock file is not writable for this user, and SQLite keeps files beside "
                    + "it: change its mode or owner, or name another place";
        }
        return "The lock file cannot be opened for reading and writing: check the path, its mode and the file system";
    }

    private static String oneLine(SQLException e) {
        return Objects.toString(e.getMessage(), e.getClass().getSimpleName().toLowerCase(Locale.ROOT))
                .replaceAll("\\s+", " ");
    }
}
