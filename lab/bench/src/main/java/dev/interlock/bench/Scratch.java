package dev.interlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of the bench, under {@code target}. */
final class Scratch {

    private Scratch() {}

    static Path directory() {
        try {
            return Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "bench"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file of this kind that does not exist yet. */
    static Path file(String kind) {
        return directory().resolve(kind + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }
}
