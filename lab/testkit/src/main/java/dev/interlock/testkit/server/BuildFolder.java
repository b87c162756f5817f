package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * What costs seconds of processor time to make and is the same for all tests: unpacked servers and empty databases. The
 * system property {@code interlock.unpacked} names the folder that all modules of a build share; without it each module
 * has its own.
 */
final class BuildFolder {

    private BuildFolder() {}

    /** Fills an empty folder. */
    @FunctionalInterface
    interface Content {

        void fill(Path folder) throws IOException;
    }

    /**
     * The folder {@code name/version}, which is filled once: one JVM does it, while the others wait. It comes to be by
     * an atomic move, so that nobody takes what a killed JVM left behind for the whole.
     */
    static synchronized Path filled(String name, String version, Content content) {
        String shared = System.getProperty("interlock.unpacked");
        Path folder = (shared == null ? RedisBinary.target() : Path.of(shared)).resolve(name);
        Path home = folder.resolve(version);
        try {
            Files.createDirectories(folder);
            try (FileChannel file = FileChannel.open(
                    folder.resolve(version + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Closing the file unlocks it. Of the threads of this JVM only one may ask for the lock.
                file.lock();
                if (!Files.isDirectory(home)) {
                    Path fresh = Files.createTempDirectory(folder, "fresh-");
                    content.fill(fresh);
                    Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException("The tests cannot make their copy of " + name + " in " + folder, e);
        }
    }
}
