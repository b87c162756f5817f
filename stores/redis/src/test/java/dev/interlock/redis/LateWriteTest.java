package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.fence.FenceGate;
import dev.interlock.fence.FenceHeader;
import dev.interlock.fence.FenceVerdict;
import dev.interlock.fence.HttpFence;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A holder is stopped past its lease, another one writes, and then the first goes on to write: guards refuse it (I1).
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class LateWriteTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private static RedisServer server;
    private static RedisClient redis;
    private static StatefulRedisConnection<String, String> connection;
    private static Interlock client;

    @BeforeAll
    static void open() {
        server = RedisServer.start();
        redis = RedisClient.create(server.uri());
        connection = redis.connect();
        client = Interlock.connect(server.uri());
    }

    @AfterAll
    static void close() {
        client.close();
        connection.close();
        redis.shutdown();
        server.close();
    }

    /** What the late writer was told. */
    private static String lateWrite(String how, String target, LongConsumer write) throws Exception {
        String name = "late:" + how;
        try (ChildJvm child = ChildJvm.start(LateWriter.class, server.uri(), name, how, target)) {
            long first = Long.parseLong(child.await("held", AMPLE));
            child.stop();
            child.send("write");
            try (Lease lease = client.lock(name).acquire()) {
                assertThat(Signals.state(child.pid())).isEqualTo(Signals.STOPPED);
                assertThat(lease.token()).isGreaterThan(first);
                write.accept(lease.token());
            }
            child.resume();
            return child.await("wrote", AMPLE);
        }
    }

    private static FenceVerdict set(String key, String value, long token, String owner) {
        return FencedRedis.over(connection.async())
                .set(key, value, token, owner)
                .toCompletableFuture()
                .join();
    }

    @Test
    void I1_inRedis_theLateWriterIsRefused() throws Exception {
        AtomicLong maximum = new AtomicLong();
        String told = lateWrite("fenced", "stock", token -> {
            maximum.set(token);
            assertThat(set("stock", "in time", token, "").accepted()).isTrue();
        });
        assertThat(told).isEqualTo(FenceVerdict.refuse(maximum.get()).toString());
        assertThat(server.command("GET", "stock")).isEqualTo("in time");
    }

    /** The control: without a guard the late write is done. */
    @Test
    void I1_inRedis_withoutAGuard_theLateWriterWins() throws Exception {
        String told = lateWrite("plain", "bare", token -> connection.sync().set("bare", "in time"));
        assertThat(told).isEqualTo("OK");
        assertThat(server.command("GET", "bare")).isEqualTo(LateWriter.VALUE);
    }

    @Test
    void I1_behindHttp_theLateWriterIsRefused() throws Exception {
        HttpFence fence = new HttpFence(new FenceGate(10, Duration.ofHours(1)));
        try (Resource resource = new Resource(fence)) {
            AtomicLong maximum = new AtomicLong();
            String told = lateWrite("http", resource.address(), token -> {
                maximum.set(token);
                assertThat(fence.decide(Long.toString(token), "stock").accepted())
                        .isTrue();
                resource.value.set("in time");
            });
            assertThat(told).isEqualTo("412 " + maximum.get());
            assertThat(resource.value).hasValue("in time");
        }
    }

    @Test
    void I1_behindHttp_withoutAGuard_theLateWriterWins() throws Exception {
        try (Resource resource = new Resource(null)) {
            String told = lateWrite("http", resource.address(), token -> resource.value.set("in time"));
            assertThat(told).isEqualTo("200 -");
            assertThat(resource.value).hasValue(LateWriter.VALUE);
        }
    }

    @Test
    void tokensAreCompared_asNumbers_andByOwner() {
        assertThat(set("n", "a", 9, "one")).isEqualTo(new FenceVerdict(true, 9));
        assertThat(set("n", "b", 10, "two words")).isEqualTo(new FenceVerdict(true, 10));
        assertThat(set("n", "c", 9, "one")).isEqualTo(new FenceVerdict(false, 10));
        assertThat(set("n", "c", 10, "one")).isEqualTo(new FenceVerdict(false, 10));
        assertThat(set("n", "c", 10, "two words")).isEqualTo(new FenceVerdict(true, 10));
        // Neighbours that are the same number to a double.
        assertThat(set("n", "d", Long.MAX_VALUE - 1, "").accepted()).isTrue();
        assertThat(set("n", "e", Long.MAX_VALUE - 2, "")).isEqualTo(new FenceVerdict(false, Long.MAX_VALUE - 1));
        assertThat(set("n", "f", Long.MAX_VALUE, "").accepted()).isTrue();
        assertThat(server.command("GET", "n")).isEqualTo("f");
        assertThat(server.command("GET", "interlock_guard:{n}")).isEqualTo(Long.MAX_VALUE + " ");
        set("{tag}n", "g", 1, "");
        assertThat(server.command("EXISTS", "interlock_guard:{tag}n")).isEqualTo("1");
        assertThatThrownBy(() -> set("n", "x", -1, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void aServerThatHasForgottenTheScript_isToldItAgain() {
        set("again", "a", 1, "");
        server.command("SCRIPT", "FLUSH");
        assertThat(set("again", "b", 2, "").accepted()).isTrue();
        assertThat(server.command("GET", "again")).isEqualTo("b");
    }

    /** A value behind HTTP, with a guard or without. */
    private static final class Resource implements AutoCloseable {
        final AtomicReference<String> value = new AtomicReference<>("");
        private final HttpServer http;
        private final @Nullable HttpFence fence;

        Resource(@Nullable HttpFence fence) throws IOException {
            this.fence = fence;
            this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", this::put);
            http.start();
        }

        String address() {
            return "http://127.0.0.1:" + http.getAddress().getPort() + "/stock";
        }

        private void put(HttpExchange exchange) throws IOException {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HttpFence.Decision decision = fence == null
                    ? new HttpFence.Decision(true, 200, 0, "")
                    : fence.decide(exchange.getRequestHeaders().getFirst(FenceHeader.NAME), "stock");
            if (decision.accepted()) {
                value.set(body);
            } else {
                exchange.getResponseHeaders().set(FenceHeader.MAXIMUM, Long.toString(decision.maximum()));
            }
            exchange.sendResponseHeaders(decision.status(), -1);
            exchange.close();
        }

        @Override
        public void close() {
            http.stop(0);
        }
    }
}
