package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A server that comes as an archive on the class path, unpacked once for each build folder. */
final class UnpackedServer {

    private UnpackedServer() {}

    /** An archive without its compression. */
    @FunctionalInterface
    interface Archive {

        InputStream open() throws IOException;
    }

    /**
     * The folder {@code name/version}. It comes to be by an atomic move, so that JVMs that run side by side never see
     * half of it.
     */
    static Path home(String name, String version, Archive archive) {
        Path folder = RedisBinary.target().resolve(name);
        Path home = folder.resolve(version);
        try {
            if (!Files.isDirectory(home)) {
                Files.createDirectories(folder);
                Path fresh = Files.createTempDirectory(folder, "unpacked-");
                unpack(archive, fresh);
                move(fresh, home);
            }
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException("The bundled " + name + " cannot be unpacked to " + folder, e);
        }
    }

    /** A resource of that name, compressed as it is. */
    static InputStream resource(String resource, String instead) {
        InputStream packed = UnpackedServer.class.getResourceAsStream(resource);
        if (packed == null) {
            throw new IllegalStateException("No such server is bundled for this platform: resource=" + resource
                    + "; name an installed one with " + instead);
        }
        return packed;
    }

    private static void unpack(Archive archive, Path folder) throws IOException {
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream content = archive.open()) {
            try (OutputStream input = tar.getOutputStream()) {
                content.transferTo(input);
            }
            if (tar.waitFor() != 0) {
                throw new IOException("tar failed: status=" + tar.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while unpacking", e);
        } finally {
            tar.destroyForcibly();
        }
    }

    private static void move(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException e) {
            ServerFolder.delete(fresh);
        } catch (FileSystemException e) {
            // Another JVM was faster, which not every file system says in the same words.
            if (!Files.isDirectory(home)) {
                throw e;
            }
            ServerFolder.delete(fresh);
        }
    }
}
