package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.fixture.OtherJars;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Versions of Lettuce that an application may have in place of ours. The build puts them into {@code target/drivers}.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LettuceVersionsTest {

    /** Runs on the classes of another version. */
    public static final class Program {

        private Program() {}

        public static void lock(String uri) {
            try (Interlock client = Interlock.connect(uri);
                    Interlock other = Interlock.connect(uri)) {
                client.lock("x").lock();
                CompletableFuture<Lease> waiting =
                        other.lock("x").acquireAsync().toCompletableFuture();
                client.lock("x").unlock();
                assertThat(waiting.join().isValid()).isTrue();
            }
        }

        public static void share(String uri) {
            RedisClient client = RedisClient.create(uri);
            try (RedisStore store = RedisStore.over(client)) {
                assertThat(store).isNotNull();
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void olderVersion_isRefusedByNameAndVersion() throws IOException {
        try (OtherJars older = jars("too-old")) {
            assertThatThrownBy(() -> older.call(Program.class, "lock", "redis://127.0.0.1:1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("This version of io.lettuce:lettuce-core is too old for Interlock:"
                            + " found=6.3.2.RELEASE, least=6.4.0.RELEASE; use that or a later one, with Spring Boot by"
                            + " the property lettuce.version");
            assertThatThrownBy(() -> older.call(Program.class, "share", "redis://127.0.0.1:1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("found=6.3.2.RELEASE");
        }
    }

    @Test
    void leastVersion_locksAndWakes() throws Throwable {
        try (RedisServer server = RedisServer.start();
                OtherJars least = jars("least")) {
            least.call(Program.class, "lock", server.uri());
        }
    }

    private static OtherJars jars(String folder) throws IOException {
        return OtherJars.of(Path.of(System.getProperty("interlock.target"), "drivers", folder));
    }
}
