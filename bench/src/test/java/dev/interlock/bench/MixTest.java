package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class MixTest {

    @Test
    void aScriptCountsAsOneCommand() {
        try (RedisServer server = RedisServer.start()) {
            CompletableFuture<Mix> mix =
                    CompletableFuture.supplyAsync(() -> Mix.learn(server.port(), Duration.ofSeconds(1)));
            Awaitility.await().until(() -> server.calls("monitor") == 1);
            // One DEL of a client, one inside of a script.
            script(server);
            server.command("DEL", "b");
            Commands before = Commands.read(server);
            script(server);
            server.command("DEL", "b");
            Commands delta = Commands.read(server).since(before);
            assertThat(delta.calls()).containsEntry("del", 2L).containsEntry("set", 1L);
            // EVAL and one DEL.
            assertThat(delta.fromClients(mix.join())).isEqualTo(2);
        }
    }

    @Test
    void aCommandThatWasNotHeardIsAClients() {
        assertThat(new Mix().clientShare("get")).isEqualTo(1);
    }

    private static void script(RedisServer server) {
        server.command("EVAL", "redis.call('set', 'a', '1') return redis.call('del', 'a')", "0");
    }
}
