package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.testkit.fixture.OtherJars;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Versions of Curator in place of ours. The build puts them into {@code target/drivers}. */
class CuratorVersionsTest {

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
            assertThatThrownBy(() -> older.call(Program.class, "lock", "zk://127.0.0.1:1/locks"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("org.apache.curator:curator-framework")
                    .hasMessageContaining("found=5.1.0, least=5.2.0");
        }
    }

    @Test
    void leastVersion_locks() throws Throwable {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                OtherJars least = jars("least")) {
            least.call(Program.class, "lock", "zk://" + server.connectString() + "/locks");
        }
    }

    private static OtherJars jars(String folder) throws IOException {
        return OtherJars.of(Path.of(System.getProperty("interlock.target"), "drivers", folder));
    }
}
