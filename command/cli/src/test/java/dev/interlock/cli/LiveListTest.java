package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code top} and {@code ls --watch} without a terminal. */
final class LiveListTest {

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void top_printsATableAgainAndAgain_alsoAfterTheStoreWasGone() {
        Cli cli = new Cli(directory);
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Interlock.connect(server.uri())) {
            interlock.lock("first").lock();
            Cli.Running top = cli.start("top", "--store", server.uri());
            top.awaitOutput("1 in use, 0 waiting\nNAME ");
            interlock.lock("second").lock();
            top.awaitOutput("2 in use, 0 waiting\nNAME ");

            server.kill();
            top.awaitError("the store is unavailable");
            server.restart();

            top.awaitOutput("0 in use, 0 waiting\nNAME ");
            top.process().destroy();
            assertThat(top.result().exited(143).out()).doesNotContain("\u001b");
        }
    }

    /** Each line is one array; nobody who reads any more ends it quietly. */
    @Test
    void ls_watch_json_printsALineEachTime_untilNobodyReads() {
        Cli cli = new Cli(directory);
        String store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        try (Interlock interlock = Interlock.connect(store)) {
            interlock.lock("a").lock();
            List<String> piped =
                    new ArrayList<>(List.of("bash", "-c", "\"$@\" | head -n 2; echo \"${PIPESTATUS[0]}\" >&2", "bash"));
            piped.addAll(cli.command("ls", "--watch", "--json", "--store", store));

            Cli.Result result = cli.start(piped).result().exited(0);

            assertThat(result.out().lines()).hasSize(2).allSatisfy(line -> assertThat((List<?>) JsonReader.read(line))
                    .singleElement()
                    .satisfies(
                            lock -> assertThat(((Map<?, ?>) lock).get("name")).isEqualTo("a")));
            assertThat(result.err()).isEqualTo("141\n");
        }
    }

    @Test
    void aStoreThatIsNotThere_isAFailureAtTheStart() {
        Cli.Result result = InProcess.run("top", "--store", "redis://127.0.0.1:1");

        assertThat(result.exited(69).errorLines()).singleElement().asString().contains("the store is unavailable");
    }
}
