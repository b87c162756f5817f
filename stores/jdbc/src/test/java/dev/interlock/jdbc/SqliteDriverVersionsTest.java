package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.testkit.fixture.OtherJars;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of SQLite's driver in place of ours. The build puts them into {@code target/drivers}. */
class SqliteDriverVersionsTest {

    @TempDir
    Path folder;

    /** Runs on the classes of another version. */
    public static final class Program {

        private Program() {}

        public static void lock(String uri) {
            try (Interlock client = Interlock.connect(uri)) {
                client.lock("x").run(() -> {});
            }
        }
    }

    @Test
    void olderVersion_isRefusedByNameAndVersion() throws IOException {
        try (OtherJars older = jars("too-old")) {
            assertThatThrownBy(() -> older.call(Program.class, "lock", uri()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("org.xerial:sqlite-jdbc")
                    .hasMessageContaining("found=3.41.2.2, least=3.42")
                    .hasMessageContaining("sqlite-jdbc.version");
        }
    }

    @Test
    void leastVersion_locks() throws Throwable {
        try (OtherJars least = jars("least")) {
            least.call(Program.class, "lock", uri());
        }
    }

    private String uri() {
        return "jdbc:sqlite:" + folder.resolve("locks.db");
    }

    private static OtherJars jars(String folder) throws IOException {
        return OtherJars.of(Path.of(System.getProperty("interlock.target"), "drivers", folder));
    }
}
