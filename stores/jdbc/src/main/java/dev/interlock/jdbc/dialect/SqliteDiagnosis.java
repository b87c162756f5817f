package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.wake.WakeSockets;
import dev.interlock.support.Examination;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;

/** Looks at an SQLite file, and at the file system that it is on. */
record SqliteDiagnosis(Values database, Examination found) {

    /** Beginnings of the names of file systems without memory that machines share. */
    private static final Set<String> REMOTE =
            Set.of("nfs", "cifs", "smb", "9p", "afs", "ceph", "gluster", "lustre", "fuse.sshfs", "fuse.gluster", "gfs");

    private static final long LITTLE_ROOM = 16L << 20;

    /** The path of a socket is 15 bytes longer, and has at most 106. */
    private static final int LONGEST_PATH = 91;

    void run() {
        found.attempt("server", "", () -> found.good("server", "SQLite " + database.text("SELECT sqlite_version()")));
        found.attempt("file", "", this::file);
        found.attempt("content", "", this::content);
        found.attempt("wakes", "", this::wakes);
        found.note(
                "failover",
                "the locks are on this machine alone, for its processes",
                "name a server by --store if other machines take part");
    }

    private void file() throws SQLException, IOException {
        Path file = path();
        FileStore system = Files.getFileStore(file);
        String type = system.type().toLowerCase(Locale.ROOT);
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (REMOTE.stream().anyMatch(type::startsWith)) {
            found.bad(
                    "file",
                    "two clients can hold one lock: " + file + " is on a file system of another machine (" + type + ")",
                    "move it to a local one, or name a server");
        } else if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            found.warn(
                    "file",
                    "every user of this machine can release any lock: the mode of " + file + " is "
                            + PosixFilePermissions.toString(mode),
                    "take the right to write from others");
        } else if (system.getUsableSpace() < LITTLE_ROOM) {
            found.warn(
                    "file", "the file system of " + file + " is nearly full, and then locks are refused", "make room");
        } else {
            found.good("file", file + " is on " + type + ", with mode " + PosixFilePermissions.toString(mode));
        }
    }

    /** Without wakes locks work, but who waits asks several times in a second. */
    private void wakes() throws SQLException {
        Path file = path();
        try {
            new WakeSockets(file).probe();
            found.good("wakes", "clients wake each other by sockets beside the file");
        } catch (IOException e) {
            found.warn(
                    "wakes",
                    "clients that wait poll, because they cannot listen on a socket beside the file: " + e.getMessage(),
                    file.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH
                            ? "give the file a path of at most " + LONGEST_PATH + " bytes"
                            : "give the folder the group of the file and the bit setgid, and use umask 002");
        }
    }

    private Path path() throws SQLException {
        return Path.of(database.text("SELECT file FROM pragma_database_list WHERE name = 'main'"));
    }

    private void content() throws SQLException {
        String result = database.text("PRAGMA quick_check(1)");
        if (result.equals("ok")) {
            found.good("content", "the file is in order (quick_check), with a write-ahead log");
        } else {
            found.bad("content", "the file is damaged: " + result, "move it away while nobody uses it");
        }
    }
}
