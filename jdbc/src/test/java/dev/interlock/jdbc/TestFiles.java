package dev.interlock.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Directories for lock files, under the build directory. */
final class TestFiles {

    private TestFiles() {}

    /** A new directory. */
    static Path directory() {
        try {
            Path target =
                    Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath();
            return Files.createTempDirectory(Files.createDirectories(target), "locks-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes it with all that is in it. */
    static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new Remover());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            // SQLite removes its own files beside when the last connection closes.
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(
                Path visited, java.io.@org.jspecify.annotations.Nullable IOException e) throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
        }
    }
}
