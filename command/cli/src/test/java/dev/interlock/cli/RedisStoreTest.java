package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a Redis server with a password: which is never shown, nor handed on. */
@Tag("long")
final class RedisStoreTest {

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    @Test
    void run_ls_show_unlock() {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            cli.with(DefaultStore.VARIABLE, server.uri());
            Cli.Running running =
                    cli.start("run", "--lease", "6s", "job", "--", "sh", "-c", "env; echo up; exec sleep 600");
            running.awaitOutput("up");

            assertThat(JsonReader.read(InProcess.run("show", "job", "--json", "--store", server.uri())
                            .exited(0)
                            .out()))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("locked", true);
            assertThat(InProcess.run("ls", "--store", server.uri()).exited(0).out())
                    .contains(String.valueOf(running.process().pid()));
            cli.run("run", "-n", "job", "true").exited(75);
            InProcess.run("unlock", "--force", "--yes", "job", "--store", server.uri())
                    .exited(0);

            Cli.Result result = running.result().exited(74);
            assertThat(result.out())
                    .contains("INTERLOCK_STORE=redis://127.0.0.1:" + server.port())
                    .doesNotContain("secret");
            assertThat(result.errorLines()).singleElement().asString().contains("FORCED");
        }
    }

    @Test
    void aWrongPassword_isOneLine_withoutIt() {
        try (RedisServer server = RedisServer.builder().password("right").start()) {
            for (String credentials : List.of(":wrong-secret@", "")) {
                Cli.Result result = cli.run(
                        "run", "--store", "redis://" + credentials + "127.0.0.1:" + server.port(), "job", "true");

                result.exited(69);
                assertThat(result.errorLines())
                        .singleElement()
                        .asString()
                        .startsWith("interlock: the store is unavailable")
                        .contains("password");
                assertThat(result.err()).doesNotContain("secret").doesNotContain("right");
                assertThat(result.out()).isEmpty();
            }
        }
    }

    /** Whose words may be a server's: so they come as all lines do. */
    @Test
    void verbose_tellsWhatTheStoreWarnsOf() {
        try (RedisServer server =
                RedisServer.builder().config("maxmemory-policy allkeys-lru").start()) {
            Cli.Result result =
                    cli.run("run", "-v", "--store", server.uri(), "job", "true").exited(0);

            assertThat(result.errorLines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("interlock: Redis may evict")
                            .endsWith("server=redis://127.0.0.1:" + server.port() + "/0"))
                    .allSatisfy(line -> assertThat(line).startsWith("interlock: "));
        }
    }

    @Test
    void verbose_isStillWithoutThePassword() {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            Cli.Result result =
                    cli.run("run", "-v", "--store", server.uri(), "job", "true").exited(0);

            assertThat(Map.of("out", result.out(), "err", result.err()).toString())
                    .doesNotContain("secret");
        }
    }
}
