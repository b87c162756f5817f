package dev.interlock.jdbc;

import dev.interlock.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file that a connection has open. A file that is deleted or replaced lives on for those who have it open: they would go on locking each other in it,
 * and nobody else. So the store looks whether its path still leads to it.
 */
final class SqliteIdentity implements Dialect.Identity {

    private final Path path;
    private final @Nullable Object key;

    private SqliteIdentity(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    static SqliteIdentity of(@Nullable String file) {
        if (file == null || file.isEmpty()) {
            throw new StoreUnavailableException(
                    "An SQLite database in memory cannot be a lock store, since no other connection sees it: use a file, or Interlock.inMemory()",
                    null);
        }
        Path path = Path.of(file);
        try {
            return new SqliteIdentity(path, key(path));
        } catch (IOException e) {
            throw new StoreUnavailableException("The lock file cannot be read: path=" + path, e);
        }
    }

    @Override
    public boolean isGone() {
        try {
            return !Objects.equals(key, key(path));
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            // Not known: the next statement will tell.
            return false;
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** Device and number of the file, where the file system has such. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }
}
