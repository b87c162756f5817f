package dev.interlock.evidence;

import dev.interlock.testkit.fixture.TestFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A file, which needs no server and has no network. */
final class SqliteSite extends Site {

    private static final String DATABASE = "locks.db";

    private final Path folder;

    /** When the database was last written, at the moment from which nothing could be written any more. */
    private List<FileTime> written = List.of();

    SqliteSite() {
        try {
            folder = TestFolder.create();
        } catch (IOException e) {
            throw new UncheckedIOException("No folder for the database", e);
        }
    }

    @Override
    String uri(int place) {
        return "jdbc:sqlite:" + folder.toAbsolutePath().resolve(DATABASE);
    }

    @Override
    List<String> leftovers() throws Exception {
        return Rows.of(uri(0), "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
    }

    @Override
    void fillDisk(List<Long> clients) {
        clients.forEach(DiskLimit::refuse);
        written = written();
    }

    /** All want to write all the time: so writes have failed if nothing has been written. */
    @Override
    boolean emptyDisk(List<Long> clients) {
        boolean hit = written.equals(written());
        clients.forEach(DiskLimit::allow);
        return hit;
    }

    private List<FileTime> written() {
        try {
            return List.of(
                    Files.getLastModifiedTime(folder.resolve(DATABASE)),
                    Files.getLastModifiedTime(folder.resolve(DATABASE + "-wal")));
        } catch (IOException e) {
            throw new UncheckedIOException("The database cannot be looked at: " + folder, e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The database cannot be deleted: " + folder, e);
        }
    }
}
