package dev.interlock.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import org.tukaani.xz.XZInputStream;

/**
 * The folder of PostgreSQL's programs: the installed one that the system property {@code postgres.home} names, else the
 * bundled one, unpacked.
 */
final class PostgresBinaries {

    private static final String RESOURCE = "/postgres-linux-x86_64.txz";
    static final String VERSION = "18.6";

    private PostgresBinaries() {}

    static boolean isBundled() {
        return installed().isEmpty();
    }

    private static String installed() {
        return System.getProperty("postgres.home", "");
    }

    static Path home() {
        String installed = installed();
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

    private static final class Bundled {
        static final Path HOME = UnpackedServer.home(
                "postgres",
                VERSION,
                () -> new XZInputStream(UnpackedServer.resource(RESOURCE, "-Dpostgres.home=/usr/lib/postgresql/18")));
    }
}
