package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MixTest {

    @Test
    void aScriptCountsAsOneCommand() {
        try (RedisServer server = RedisServer.start()) {
            Mix mix = Mix.learn(server.port(), () -> oneOfEach(server));
            Commands before = Commands.read(server);
            oneOfEach(server).join();
            Commands delta = Commands.read(server).since(before);
            assertThat(delta.calls()).containsEntry("del", 2L).containsEntry("set", 1L);
            // EVAL and one DEL.
            assertThat(delta.fromClients(mix)).isEqualTo(2);
        }
    }

    @Test
    void aCommandThatWasNotHeardIsAClients() {
        assertThat(new Mix().clientShare("get")).isEqualTo(1);
    }

    /** One DEL inside of a script, one of a client. */
    private static CompletableFuture<Void> oneOfEach(RedisServer server) {
        return CompletableFuture.runAsync(() -> {
            server.command("EVAL", "redis.call('set', 'a', '1') return redis.call('del', 'a')", "0");
            server.command("DEL", "b");
        });
    }
}
