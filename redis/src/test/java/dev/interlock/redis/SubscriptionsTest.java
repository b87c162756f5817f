package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Channels that are left while something is still on its way. */
class SubscriptionsTest {

    /** I6: nobody would ever leave it again. */
    @Test
    void aChannelThatIsLeftBeforeTheConnectionStandsDoesNotStay() {
        CompletableFuture<RedisCredentials> slow = new CompletableFuture<>();
        try (RedisServer server = RedisServer.start()) {
            RedisURI uri = StoreUri.parse(server.uri()).server();
            uri.setCredentialsProvider(() -> Mono.fromFuture(slow));
            OwnClient client = new OwnClient(uri, null);
            Subscriptions subscriptions =
                    new Subscriptions(new OwnConnector(client, uri), (from, channel, message) -> {});
            try {
                CompletableFuture<Void> left = subscriptions.open("left");
                subscriptions.close("left");
                // The fault: both are to go out when the connection stands.
                assertThat(left).isNotDone();
                slow.complete(RedisCredentials.just(null, (char[]) null));
                Probe.answer(left);
                Probe.answer(subscriptions.open("stays"));

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
            RedisURI uri = StoreUri.parse("redis://127.0.0.1:" + silent.port()).server();
            OwnClient client = new OwnClient(uri, null);
            Subscriptions subscriptions =
                    new Subscriptions(new OwnConnector(client, uri), (from, channel, message) -> {});
            try {
                CompletableFuture<Void> first = subscriptions.open("inbox");
                await().until(() -> silent.commands.contains("SUBSCRIBE"));

                subscriptions.rest();
                assertThat(first).isCompletedExceptionally();
                assertThat(subscriptions.open("inbox")).isNotDone();

                await().atMost(Duration.ofSeconds(3))
                        .until(() -> Collections.frequency(silent.commands, "SUBSCRIBE") == 2);
            } finally {
                client.close();
            }
        }
    }
}
