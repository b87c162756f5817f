package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.Handshake;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.support.Host;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** Several links share the way in, and each says of the seed that it has met itself that it is of no use. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeedNodesConnectorTest {

    private final AtomicInteger begun = new AtomicInteger();
    private volatile CompletableFuture<RedisCredentials> credentials = CompletableFuture.completedFuture(nobody());

    @Test
    void aConnectionTriedInVainPassesOverTheSeedThatItLeadsTo() throws IOException {
        try (ScriptedServer silent = new ScriptedServer(words -> "")) {
            DedicatedClient client = new DedicatedClient(uri(silent.port()), null, null);
            SeedNodesConnector seeds = new SeedNodesConnector(List.of(seed(client, silent.port()), seed(client, 1)));
            NodeConnection link = new NodeConnection(seeds, new Handshake(), greeting -> null, () -> {});
            try {
                // A connection that breaks before anything came: the next one is tried out.
                PlainCommand[] broken = {hello(link)};
                await().until(() -> {
                    if (broken[0].isDone()) {
                        // The machine was too busy to connect in time.
                        broken[0] = hello(link);
                    }
                    return silent.commands.contains("HELLO");
                });
                Host first = seeds.address();
                silent.hangUp();
                assertThat(broken[0]).failsWithin(Duration.ofMinutes(5));

                credentials = new CompletableFuture<>();
                int before = begun.get();
                PlainCommand tried = hello(link);
                await().until(() -> begun.get() > before);
                // The race: another link has passed over the same seed by then.
                seeds.skip(first);
                Host next = seeds.address();
                assertThat(next).isNotEqualTo(first);
                credentials.complete(nobody());
                assertThat(tried).failsWithin(Duration.ofMinutes(5));

                assertThat(link.address()).isEqualTo(first);
                assertThat(seeds.address()).isEqualTo(next);
            } finally {
                link.close();
                client.close();
            }
        }
    }

    private static PlainCommand hello(NodeConnection link) {
        PlainCommand hello = Handshake.hello();
        link.send(hello);
        return hello;
    }

    private NodeConnector seed(DedicatedClient client, int port) {
        RedisURI uri = uri(port);
        uri.setCredentialsProvider(() -> {
            begun.incrementAndGet();
            return Mono.fromFuture(credentials);
        });
        return new NodeConnector(client, uri);
    }

    private static RedisURI uri(int port) {
        return RedisStoreUri.parse("redis://127.0.0.1:" + port).server();
    }

    private static RedisCredentials nobody() {
        return RedisCredentials.just(null, (char[]) null);
    }
}
