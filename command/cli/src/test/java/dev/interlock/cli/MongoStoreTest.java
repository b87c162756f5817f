package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command on a server of MongoDB that lets its user not in: a stand-in, which knows no users and refuses whoever
 * says to be one.
 */
@Tag("wide")
final class MongoStoreTest {

    private static final String[] LOOK = {"show", "job"};
    private static final String[] RUN = {"run", "-w", "3s", "job", "true"};

    @TempDir
    private Path directory = Path.of(".");

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private Cli cli = new Cli(directory);

    @BeforeEach
    void start() {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = server.getLocalAddress().getPort();
        cli = new Cli(directory).with(DefaultStore.VARIABLE, "mongodb://user:wrong-secret@127.0.0.1:" + port + "/db");
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void aWrongPassword_isOneLine_withoutIt() {
        for (String[] command : new String[][] {LOOK, RUN}) {
            Cli.Result result = cli.run(command);

            result.exited(69);
            assertThat(result.errorLines())
                    .singleElement()
                    .asString()
                    .startsWith("interlock: the store is unavailable")
                    .contains("refused the user or the password");
            assertThat(result.err()).doesNotContain("secret");
            assertThat(result.out()).isEmpty();
        }
    }
}
