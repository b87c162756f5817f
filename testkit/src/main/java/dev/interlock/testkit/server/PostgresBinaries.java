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
import org.tukaani.xz.XZInputStream;

/** The folder of PostgreSQL's programs: the installed one that the system property {@code postgres.home} names, else the bundled one, unpacked. */
final class PostgresBinaries {

    private static final String RESOURCE = "/postgres-linux-x86_64.txz";
    private static final String VERSION = "18.6";

    private PostgresBinaries() {}

    static Path home() {
        String installed = System.getProperty("postgres.home", "");
        if (installed.isEmpty()) {
            return Bundled.HOME;
        }
        Path home = Path.of(installed);
        if (!Files.isExecutable(home.resolve("bin/postgres"))) {
            throw new IllegalStateException(
                    "The system property postgres.home must name a folder with bin/postgres: postgres.home="
                            + installed);
        }
        return home;
    }

    /** Unpacked once for each build folder; the move is atomic, so that JVMs that run side by side never see half of it. */
    private static final class Bundled {
        static final Path HOME = unpack();

        private static Path unpack() {
            Path folder = RedisBinary.target().resolve("postgres");
            Path home = folder.resolve(VERSION);
            try {
                if (!Files.isDirectory(home)) {
                    Files.createDirectories(folder);
                    Path fresh = Files.createTempDirectory(folder, "unpacked-");
                    unpackTo(fresh);
                    move(fresh, home);
                }
                return home;
            } catch (IOException e) {
                throw new UncheckedIOException("The bundled PostgreSQL cannot be unpacked to " + folder, e);
            }
        }

        private static void unpackTo(Path folder) throws IOException {
            Process tar = new ProcessBuilder("tar", "-x", "-C", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream packed = PostgresBinaries.class.getResourceAsStream(RESOURCE)) {
                if (packed == null) {
                    throw new IllegalStateException("No PostgreSQL is bundled for this platform: resource=" + RESOURCE
                            + "; name an installed one with -Dpostgres.home=/usr/lib/postgresql/18");
                }
                try (OutputStream input = tar.getOutputStream()) {
                    new XZInputStream(packed).transferTo(input);
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
}
