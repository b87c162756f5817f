package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The channels of Redisson: used when asked for, and only as long as somebody waits. */
class RedissonChannelTest {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void flush() {
        server.command("FLUSHALL");
    }

    @ParameterizedTest
    @CsvSource({"plain, redisson_lock__channel:{plain}", "{tag}x, redisson_lock__channel:{tag}x"})
    void aReleaseTellsWhoWaitsThere(String name, String channel) {
        try (Probe probe = interop();
                Listener listener = new Listener(channel)) {
            probe.release(probe.hold(name));
            await().untilAsserted(() -> assertThat(listener.messages).containsExactly("0"));
            probe.release(probe.hold(name).byForce());
            await().untilAsserted(() -> assertThat(listener.messages).containsExactly("0", "0"));
            Claim earlier = probe.hold(name);
            probe.granted(probe.claim(name).waiting(Duration.ZERO).replacing(earlier.owner()));
            await().untilAsserted(() -> assertThat(listener.messages).containsExactly("0", "0", "0"));
        }
    }

    @Test
    void withoutTheOptionNothingIsPublishedAndNobodyListens() {
        try (Probe probe = new Probe(server.uri());
                Listener listener = new Listener("redisson_lock__channel:{quiet}")) {
            Claim held = probe.hold("quiet");
            probe.busy(probe.claim("quiet").waiting(Duration.ZERO));
            assertThat(server.list("PUBSUB", "NUMSUB", "redisson_lock__channel:{quiet}"))
                    .containsExactly("redisson_lock__channel:{quiet}", "1");
            probe.release(held);
            await().until(() -> !probe.wakes.isEmpty());
            assertThat(listener.messages).isEmpty();
        }
    }

    @Test
    void whoWaitsIsWokenByAMessageThere() {
        server.command("HSET", "theirs", "uuid:1", "1");
        try (Probe probe = interop()) {
            Claim waiting = probe.claim("theirs").waiting(Duration.ZERO);
            probe.busy(waiting);

            assertThat(server.command("PUBLISH", "redisson_lock__channel:{theirs}", "0"))
                    .isEqualTo("1");
            await().untilAsserted(() -> assertThat(probe.wakes).containsExactly(LockId.lock("theirs")));
        }
    }

    /** I6: the channel is left with the last claim that waits, whether it is granted or gives up. */
    @Test
    void theChannelIsLeftWhenNobodyWaitsAnyMore() {
        server.command("HSET", "theirs", "uuid:1", "1");
        try (Probe probe = interop()) {
            Claim first = probe.claim("theirs").waiting(Duration.ZERO);
            Claim second = probe.claim("theirs").waiting(Duration.ZERO);
            probe.busy(first);
            probe.busy(second);
            probe.release(first);
            assertThat(subscribed()).hasSize(1);

            server.command("DEL", "theirs");
            probe.granted(second);
            await().until(() -> subscribed().isEmpty());

            Claim third = probe.claim("theirs").waiting(Duration.ZERO);
            probe.busy(third);
            assertThat(subscribed()).hasSize(1);
        }
    }

    private static List<String> subscribed() {
        return server.list("PUBSUB", "CHANNELS", "redisson*");
    }

    private static Probe interop() {
        return new Probe(server.uri() + "?redissonInterop=true");
    }

    /** Listens as a waiting client of Redisson does. */
    private static final class Listener implements AutoCloseable {
        final List<String> messages = new CopyOnWriteArrayList<>();
        private final RedisClient client = RedisClient.create(server.uri());

        Listener(String channel) {
            var connection = client.connectPubSub();
            connection.addListener(new RedisPubSubAdapter<String, String>() {
                @Override
                public void message(String from, String message) {
                    messages.add(message);
                }
            });
            connection.sync().subscribe(channel);
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }
}
