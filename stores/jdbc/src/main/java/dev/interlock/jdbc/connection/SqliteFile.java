package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import dev.interlock.support.PercentEncoding;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to one SQLite file, and creates the file if it does not exist. */
public final class SqliteFile implements ConnectionSource {

    private final Path path;

    private SqliteFile(Path path) {
        this.path = path;
    }

    public static SqliteFile of(Path path) {
        SqliteDriver.require();
        return new SqliteFile(path.toAbsolutePath());
    }

    @Override
    public Connection open() throws SQLException {
        if (!Files.exists(path)) {
            create();
        }
        try {
            return SqliteDriver.connect(url());
        } catch (SQLException e) {
            throw SqliteErrors.explained(e, path.toString());
        }
    }

    /**
     * Creates the file with a private mode. SQLite would create it with an open mode first; it gives the files beside
     * it the same mode.
     */
    private void create() {
        try {
            Files.createFile(path, ownerOnly());
        } catch (FileAlreadyExistsException e) {
            if (!Files.exists(path)) {
                throw new StoreUnavailableException(
                        "The lock file is a symbolic link that leads nowhere: remove it, or name another file: path="
                                + path,
                        e);
            }
            // Another process was faster, which is as good.
        } catch (IOException e) {
            throw SqliteErrors.explained(e, path);
        }
    }

    private FileAttribute<?>[] ownerOnly() {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** The form of a URL in which a path may contain any character. */
    private String url() {
        String encoded = PercentEncoding.encode(path.toString()).replace("%2F", "/");
        return "jdbc:sqlite:file:" + encoded;
    }

    /** The path. */
    @Override
    public String toString() {
        return path.toString();
    }
}
