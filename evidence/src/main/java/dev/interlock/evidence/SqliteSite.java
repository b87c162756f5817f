package dev.interlock.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A file, which needs no server and has no network. */
final class SqliteSite extends Site {

    private final Path folder;

    SqliteSite(Fault fault) {
        try {
            Path target = Files.createDirectories(Path.of(System.getProperty("interlock.target", "target")));
            folder = Files.createTempDirectory(target, "sqlite-" + fault.id() + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("No folder for the database", e);
        }
    }

    @Override
    String uri(int place) {
        return "jdbc:sqlite:" + folder.toAbsolutePath().resolve("locks.db");
    }

    @Override
    List<String> leftovers() throws Exception {
        return Rows.of(uri(0), "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
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
