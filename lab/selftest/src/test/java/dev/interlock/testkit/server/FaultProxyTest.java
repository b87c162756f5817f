package dev.interlock.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class FaultProxyTest {

    private static RedisServer server;
    private FaultProxy proxy;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void startProxy() {
        proxy = FaultProxy.to(server);
        server.command("FLUSHALL");
    }

    @AfterEach
    void leavesNoThread() {
        int port = proxy.port();
        proxy.close();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("fault-proxy-" + port));
    }

    @Test
    void passesEverythingWithoutFaults() throws IOException {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            String big = "x".repeat(1_000_000);
            connection.command("SET", "k", big);
            assertThat(connection.command("GET", "k")).containsExactly(big);
        }
        // A chunk is counted when it has been written, which may be after it was read.
        await().until(() -> proxy.forwardedBytes(Direction.TO_CLIENT) > 1_000_000);
        assertThat(proxy.droppedBytes(Direction.TO_CLIENT)).isZero();
        await().until(() -> proxy.connections() == 0);
        assertThat(proxy.resets()).isZero();
    }

    @Test
    void delaysEachWay() throws IOException {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            connection.command("PING");
            proxy.latency(Duration.ofMillis(30));
            long start = System.nanoTime();
            connection.command("PING");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000L);
        }
    }

    /** Replies of a pipeline that are late by different times still come in the order of its commands. */
    @Test
    void delaysByTimesBetween_andKeepsTheOrder() throws Exception {
        Duration least = Duration.ofMillis(10);
        try (FaultProxy slow = FaultProxy.to("127.0.0.1", server.port());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), slow.port())) {
            slow.latency(least, Duration.ofMillis(60));
            var replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            for (int i = 1; i <= 20; i++) {
                socket.getOutputStream().write("INCR n\r\n".getBytes(UTF_8));
                // A chunk of its own.
                long sent = 8L * i;
                await().pollInterval(Duration.ofMillis(1)).until(() -> slow.delayedBytes(Direction.TO_SERVER) >= sent);
            }
            for (int i = 1; i <= 20; i++) {
                assertThat(replies.readLine()).isEqualTo(":" + i);
            }

            long start = System.nanoTime();
            socket.getOutputStream().write("PING\r\n".getBytes(UTF_8));
            assertThat(replies.readLine()).isEqualTo("+PONG");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * least.toNanos());
            assertThat(slow.delayedBytes(Direction.TO_CLIENT)).isPositive();

            long delayed = slow.delayedBytes(Direction.TO_SERVER);
            slow.heal();
            socket.getOutputStream().write("PING\r\n".getBytes(UTF_8));
            assertThat(replies.readLine()).isEqualTo("+PONG");
            assertThat(slow.delayedBytes(Direction.TO_SERVER)).isEqualTo(delayed);
        }
    }

    @Test
    void aLatencyThatIsLessAtMostThanAtLeast_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.latency(Duration.ofMillis(2), Duration.ofMillis(1)))
                .withMessageContaining("least=2000000");
    }

    @Test
    void holdsRequestsBackAndDeliversThemWhenHealed() throws Exception {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            connection.command("PING");
            proxy.blackHole(Direction.TO_SERVER);
            var reply = CompletableFuture.supplyAsync(() -> incr(connection));
            await().until(() -> proxy.heldBytes(Direction.TO_SERVER) > 0);
            assertThat(server.command("EXISTS", "n")).isEqualTo("0");
            proxy.heal();
            assertThat(reply.get()).isEqualTo("1");
        }
    }

    /** What was held has come through, although the hole is there again before anybody could look. */
    @Test
    void delivers_whenHealed_evenIfTheNextFaultFollowsAtOnce() throws Exception {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            for (int i = 1; i <= 20; i++) {
                long held = proxy.heldBytes(Direction.TO_SERVER);
                proxy.blackHole(Direction.TO_SERVER);
                var reply = CompletableFuture.supplyAsync(() -> incr(connection));
                await().until(() -> proxy.heldBytes(Direction.TO_SERVER) > held);
                proxy.heal();
                proxy.blackHole(Direction.TO_SERVER);
                assertThat(reply.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo(String.valueOf(i));
                proxy.heal();
            }
        }
    }

    /** A chunk that was read before the hole was there, and not yet passed on, is held and counted. */
    @Test
    void countsWhatWasUnderWay_whenTheFaultBegan() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch struck = new CountDownLatch(1);
        Tap tap = () -> chunk -> {
            read.countDown();
            awaitUninterrupted(struck);
            return chunk;
        };
        try (FaultProxy slow = FaultProxy.to("127.0.0.1", server.port(), tap);
                RespConnection connection = new RespConnection(slow.port())) {
            var reply = CompletableFuture.supplyAsync(() -> incr(connection));
            assertThat(read.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
            slow.blackHole(Direction.TO_SERVER);
            struck.countDown();
            await().until(() -> slow.heldBytes(Direction.TO_SERVER) > 0);
            slow.heal();
            assertThat(reply.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo("1");
        }
    }

    /** A test may cut at a request of its choice, and only there. */
    @Test
    void tapThatThrows_cutsItsConnection_andNoOther() throws IOException {
        Tap tap = () -> chunk -> {
            if (new String(chunk, UTF_8).contains("SET")) {
                throw new UncheckedIOException(new IOException("cut"));
            }
            return chunk;
        };
        try (FaultProxy cutting = FaultProxy.to("127.0.0.1", server.port(), tap);
                RespConnection other = new RespConnection(cutting.port());
                RespConnection connection = new RespConnection(cutting.port())) {
            other.command("PING");
            connection.command("PING");
            assertThat(cutting.serverSidePorts()).hasSize(2);

            assertThatThrownBy(() -> connection.command("SET", "k", "v")).isInstanceOf(IOException.class);

            assertThat(other.command("GET", "k")).isEmpty();
            assertThat(cutting.resets()).isOne();
            assertThat(cutting.serverSidePorts()).hasSize(1);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void holdsRepliesBackOfCommandsThatWereExecuted() throws Exception {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            proxy.blackHole(Direction.TO_CLIENT);
            var reply = CompletableFuture.supplyAsync(() -> incr(connection));
            await().until(() -> proxy.heldBytes(Direction.TO_CLIENT) > 0);
            assertThat(server.command("GET", "n")).isEqualTo("1");
            assertThat(reply).isNotDone();
            proxy.reset();
            assertThatThrownBy(reply::get).hasRootCauseInstanceOf(SocketException.class);
            await().until(() -> proxy.droppedBytes(Direction.TO_CLIENT) > 0);
            assertThat(proxy.resets()).isEqualTo(1);
        }
    }

    @Test
    void dropsOneReplyAndResetsItsConnection() throws IOException {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            proxy.dropNextReply(Duration.ofMillis(20));
            assertThatThrownBy(() -> connection.command("INCR", "n")).isInstanceOf(SocketException.class);
        }
        assertThat(server.command("GET", "n")).isEqualTo("1");
        assertThat(proxy.droppedReplies()).isEqualTo(1);
        try (RespConnection connection = new RespConnection(proxy.port())) {
            assertThat(connection.command("INCR", "n")).containsExactly("2");
        }
    }

    @Test
    void dropsAShareOfReplies() throws IOException {
        proxy.dropReplies(0.2);
        int failures = 0;
        for (int i = 0; i < 200; i++) {
            try (RespConnection connection = new RespConnection(proxy.port())) {
                connection.command("INCR", "n");
            } catch (IOException e) {
                failures++;
            }
        }
        assertThat(server.command("GET", "n")).isEqualTo("200");
        assertThat(failures).isBetween(10, 80);
        assertThat(proxy.droppedReplies()).isEqualTo(failures);
    }

    @Test
    void swallowsChunksByContentAndGoesOn() throws IOException {
        try (RespConnection connection = new RespConnection(proxy.port())) {
            proxy.swallow("secret");
            connection.command("SUBSCRIBE", "c");
            server.command("PUBLISH", "c", "secret");
            await().until(() -> proxy.swallowedChunks() == 1);
            server.command("PUBLISH", "c", "public");
            assertThat(connection.command("PING")).containsExactly("message", "c", "public");
        }
    }

    @Test
    void refusesAndAcceptsAgain() throws IOException {
        proxy.refuse();
        assertThatThrownBy(() -> new RespConnection(proxy.port())).isInstanceOf(ConnectException.class);
        proxy.heal();
        try (RespConnection connection = new RespConnection(proxy.port())) {
            assertThat(connection.command("PING")).containsExactly("PONG");
        }
    }

    private static String incr(RespConnection connection) {
        try {
            return connection.command("INCR", "n").get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
