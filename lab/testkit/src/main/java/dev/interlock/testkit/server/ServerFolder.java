package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where a server keeps its files, under {@code target/}. */
final class ServerFolder {

    private ServerFolder() {}

    /** A new folder for one server. */
    static Path create(String server) throws IOException {
        Path servers = RedisBinary.target().resolve("servers");
        Files.createDirectories(servers);
        return Files.createTempDirectory(servers, server + "-");
    }

    /** Removes it with all that is in it; its server is gone. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The files of a server cannot be deleted: " + folder, e);
        }
    }
}
