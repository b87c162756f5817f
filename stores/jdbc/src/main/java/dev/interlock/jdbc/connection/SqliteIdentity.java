package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file that a connection has open. A file that is deleted or replaced, or to which a link in its path no longer
 * leads, lives on for those who have it open: they would go on excluding each other, and nobody else. So the store
 * checks whether the path still leads to this file.
 */
public final class SqliteIdentity implements ConnectionTarget {

    private final Path path;
    private final @Nullable Object key;

    private SqliteIdentity(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    /**
     * The identity of a connection.
     *
     * @param file the open file, as SQLite reports it: with all links resolved
     * @param url contains the path as it was given
     */
    public static SqliteIdentity of(@Nullable String file, @Nullable String url) {
        if (file == null || file.isEmpty()) {
            throw new StoreUnavailableException(
                    "An SQLite database in memory cannot be a lock store, since no other connection sees it: "
                            + "use a file, or Interlock.inMemory()",
                    null);
        }
        Path opened = Path.of(file);
        Path path = Objects.requireNonNullElse(SqliteUrl.path(url, file), opened);
        SqliteIdentity identity = new SqliteIdentity(path, keyOfOpened(opened));
        if (identity.isGone()) {
            // The connection comes from a pool that does not notice; operations would go on in the old file.
            throw new StoreUnavailableException(
                    "The path of the lock file leads elsewhere than the connection: try again, or let the pool "
                            + "open another: path="
                            + path + ", open=" + opened,
                    null);
        }
        return identity;
    }

    @Override
    public boolean isGone() {
        try {
            return !Objects.equals(key, key(path));
        } catch (IOException e) {
            // Nothing is there, or nothing that this process may see, while others may: opening it will tell.
            return true;
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private static @Nullable Object keyOfOpened(Path opened) {
        try {
            return key(opened);
        } catch (IOException e) {
            throw new StoreUnavailableException("The lock file cannot be read: path=" + opened, e);
        }
    }

    /** Device and number of the file, where the file system has them. Follows links. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }
}
