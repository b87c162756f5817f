package dev.interlock.micrometer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pages of the documentation. */
final class Pages {

    private Pages() {}

    static String read(String name) {
        Path module = Path.of(System.getProperty("interlock.target", "target"), "..");
        try {
            return Files.readString(module.resolve("../../docs").resolve(name).normalize());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
