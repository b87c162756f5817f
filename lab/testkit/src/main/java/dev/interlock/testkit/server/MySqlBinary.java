package dev.interlock.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Finds the MySQL that is to run instead of MariaDB, if any: an installed one that the system property
 * {@code mysql.bin} names, or the bundled one ({@value #BUNDLED}), which needs {@code libaio.so.1} on the machine.
 */
final class MySqlBinary {

    /** Says by {@code mysql.bin} that the bundled server is to run. */
    static final String BUNDLED = "8.0";

    private static final String RESOURCE = "/mysql-Linux-amd64.tar.gz";
    private static final String VERSION = "8.0.15";

    private MySqlBinary() {}

    /** Whether a MySQL is to run at all. */
    static boolean isWanted() {
        return !wanted().isEmpty();
    }

    private static String wanted() {
        return System.getProperty("mysql.bin", "");
    }

    static Path locate() {
        String wanted = wanted();
        if (wanted.equals(BUNDLED)) {
            return Bundled.HOME.resolve("bin/mysqld");
        }
        Path installed = Path.of(wanted).toAbsolutePath();
        if (!Files.isExecutable(installed)) {
            throw new IllegalStateException("The system property mysql.bin must name an executable mysqld, or '"
                    + BUNDLED + "' for a bundled one: mysql.bin=" + wanted);
        }
        return installed;
    }

    private static final class Bundled {
        static final Path HOME = UnpackedServer.home(
                "mysql",
                VERSION,
                () -> new GZIPInputStream(UnpackedServer.resource(RESOURCE, "-Dmysql.bin=/usr/sbin/mysqld")));
    }
}
