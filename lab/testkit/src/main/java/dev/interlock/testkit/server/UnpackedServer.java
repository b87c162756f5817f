package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** A server that comes as an archive on the class path. */
final class UnpackedServer {

    private UnpackedServer() {}

    /** An archive without its compression. */
    @FunctionalInterface
    interface Archive {

        InputStream open() throws IOException;
    }

    /** The folder {@code name/version} with the content of the archive. */
    static Path home(String name, String version, Archive archive) {
        return BuildFolder.filled(name, version, folder -> unpack(archive, folder));
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
}
