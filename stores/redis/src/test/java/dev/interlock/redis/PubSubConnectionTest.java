package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Channels that are left while something is still on its way. */
class PubSubConnectionTest {

    /** I6: nobody would ever leave it again. */
    @Test
    void aChannelThatIsLeftBeforeTheConnectionStandsDoesNotStay() {
        CompletableFuture<RedisCredentials> slow = new CompletableFuture<>();
        try (RedisServer server = RedisServer.start()) {
            RedisURI uri = RedisStoreUri.parse(server.uri()).server();
            uri.setCredentialsProvider(() -> Mono.fromFuture(slow));
            DedicatedClient client = new DedicatedClient(uri, null, null);
            PubSubConnection subscriptions =
                    new PubSubConnection(new NodeConnector(client, uri), (from, channel, message) -> {});
            try {
                CompletableFuture<Void> left = subscriptions.subscribe("left");
                subscriptions.unsubscribe("left");
                // The fault: both are to go out when the connection stands.
                assertThat(left).isNotDone();
                slow.complete(RedisCredentials.just(null, (char[]) null));
                await().until(left::isDone);
                // On a busy machine connecting may take too long, and then the subscription fails.
                await().ignoreExceptions().until(() -> {
                    Probe.answer(subscriptions.subscribe("stays"));
                    return true;
                });

                await().untilAsserted(() ->
                        assertThat(server.list("PUBSUB", "CHANNELS")).containsExactly("stays"));
            } finally {
                client.close();
            }
        }
    }

    /** What is confirmed on a connection that has been given up must not count: nothing ever comes there. */
    @Test
    void aChannelThatIsNotConfirmedYetIsGivenUpWithTheConnection() throws IOException {
        try (ScriptedServer silent = new ScriptedServer(words -> "")) {
            RedisURI uri =
                    RedisStoreUri.parse("redis://127.0.0.1:" + silent.port()).server();
            DedicatedClient client = new DedicatedClient(uri, null, null);
            PubSubConnection subscriptions =
                    new PubSubConnection(new NodeConnector(client, uri), (from, channel, message) -> {});
            try {
                CompletableFuture<Void> first = subscriptions.subscribe("inbox");
                await().until(() -> silent.commands.contains("SUBSCRIBE"));

                subscriptions.disconnect();
                assertThat(first).isCompletedExceptionally();
                assertThat(subscriptions.subscribe("inbox")).isNotDone();

                await().until(() -> Collections.frequency(silent.commands, "SUBSCRIBE") == 2);
            } finally {
                client.close();
            }
        }
    }
}
