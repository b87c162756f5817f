package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.testkit.fixture.OtherJars;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Versions of the driver in place of ours. The build puts them into {@code target/drivers}. */
class DriverVersionsTest {

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
            assertThatThrownBy(() -> older.call(Program.class, "lock", "mongodb://127.0.0.1:1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("org.mongodb:mongodb-driver-sync")
                    .hasMessageContaining("found=5.1.4, least=5.2.0")
                    .hasMessageContaining("mongodb.version");
        }
    }

    @Test
    void leastVersion_locks() throws Throwable {
        try (TestMongo mongo = TestMongo.start();
                OtherJars least = jars("least")) {
            least.call(Program.class, "lock", mongo.uri());
        }
    }

    private static OtherJars jars(String folder) throws IOException {
        return OtherJars.of(Path.of(System.getProperty("interlock.target"), "drivers", folder));
    }
}
