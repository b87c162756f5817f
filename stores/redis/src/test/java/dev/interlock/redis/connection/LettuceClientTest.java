package dev.interlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a client while it connects: a loop that has ended cannot, and Netty logs an error. */
class LettuceClientTest {

    private final AtomicInteger ends = new AtomicInteger();
    private final List<Duration> calms = new CopyOnWriteArrayList<>();
    private final LettuceClient client = new LettuceClient() {
        @Override
        RedisClient make() {
            return RedisClient.create();
        }

        @Override
        void end(RedisClient ending, Duration calm) {
            ends.incrementAndGet();
            calms.add(calm);
            ending.shutdown();
        }

        @Override
        void schedule(Runnable task, Duration delay) {}
    };

    @Test
    void clientThatIsClosed_justWhenItBeginsToConnect_endsAfterThat() {
        CompletableFuture<String> attempt = new CompletableFuture<>();
        var connected = client.connect(lettuce -> {
            client.close();
            return ConnectionFuture.from(InetSocketAddress.createUnresolved("h", 1), attempt);
        });
        assertThat(ends).hasValue(0);

        attempt.complete("opened");

        await().until(() -> ends.get() == 1);
        assertThat(connected.toCompletableFuture()).isCompletedWithValue("opened");
        assertThatThrownBy(() -> client.connect(lettuce -> {
                    throw new AssertionError("it begins");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    /** What is left of a failure needs the loops for a moment. */
    @Test
    void clientThatHasFailedToConnect_endsCalmly() {
        client.connect(lettuce -> ConnectionFuture.from(
                InetSocketAddress.createUnresolved("h", 1),
                CompletableFuture.failedFuture(new IOException("refused"))));

        client.close();

        assertThat(calms).singleElement().matches(calm -> calm.compareTo(Duration.ZERO) > 0);
    }

    @Test
    void clientThatHasConnected_endsAtOnce() {
        client.connect(lettuce -> ConnectionFuture.from(
                InetSocketAddress.createUnresolved("h", 1), CompletableFuture.completedFuture("opened")));

        client.close();

        assertThat(calms).containsExactly(Duration.ZERO);
    }

    @Test
    void attemptThatCannotBegin_isNotWaitedFor() {
        assertThatThrownBy(() -> client.connect(lettuce -> {
                    throw new IllegalArgumentException("on purpose");
                }))
                .hasMessage("on purpose");

        client.close();

        assertThat(ends).hasValue(1);
    }
}
