package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Problems of set-up are named where they are met first: passwords, versions, the eviction policy. */
class SetUpTest {

    @Test
    void P23_creatingAStoreDoesNoIo() {
        try (RedisStore store = RedisStore.at("redis://192.0.2.1:6379")) {
            assertThat(store).hasToString("RedisStore[redis://192.0.2.1:6379/0]");
        }
    }

    @Test
    void aWrongPasswordIsNamedAsSuch() {
        try (RedisServer server = RedisServer.builder().password("right").start();
                Probe probe = new Probe("redis://:wr0ng@127.0.0.1:" + server.port())) {
            Throwable failure = Probe.refusal(() -> probe.store.acquire(probe.claim("x")));

            assertThat(failure)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Redis refused the user or the password of the URI");
            assertThat(failure).satisfies(SetUpTest::hasNoPassword);
        }
    }

    @Test
    void aMissingPasswordIsNamedAsSuch() {
        try (RedisServer server = RedisServer.builder().password("right").start();
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Redis wants a password");
        }
    }

    /** A server that does not know a command repeats what was sent with it. */
    @ParameterizedTest
    @ValueSource(strings = {"redis://app:wr0ng@%s", "redis://app:wr0ng@%s,%s", "redis-sentinel://app:wr0ng@%s/master"})
    void aServerThatDoesNotKnowPasswordsDoesNotPutThemIntoFailures(String uri) throws IOException {
        try (ScriptedServer server = new ScriptedServer(SetUpTest::withoutAuth);
                Probe probe = new Probe(uri.replace("%s", "127.0.0.1:" + server.port()))) {
            Throwable failure = Probe.refusal(() -> probe.store.acquire(probe.claim("x")));

            assertThat(failure).isInstanceOf(StoreUnavailableException.class);
            assertThat(failure).rootCause().hasMessageContaining("unknown command 'AUTH'");
            assertThat(stackTrace(failure)).doesNotContain("wr0ng");
        }
    }

    /** It has answered, so it has been reached; and what it said is in the message, not in a cause of a cause. */
    @ParameterizedTest
    @CsvSource({"1, NOPERM", "99, ERR DB index is out of range"})
    void whatTheServerSaysToTheConnection_isInTheMessage(int database, String said) {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all", "-select");
            String user = database == 1 ? "app:secret@" : "";
            try (Probe probe = new Probe("redis://" + user + "127.0.0.1:" + server.port() + "/" + database)) {
                Throwable failure = Probe.refusal(() -> probe.store.acquire(probe.claim("x")));

                assertThat(failure)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("redis://127.0.0.1:" + server.port() + "/" + database + ": " + said);
                assertThat(failure.getMessage()).doesNotContain("cannot be reached");
                assertThat(stackTrace(failure)).doesNotContain("secret");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:1, Connection refused", "no-such-host.invalid:6379, unknown host no-such-host.invalid"})
    void whyAServerCannotBeReached_isInTheMessage(String host, String said) {
        try (Probe probe = new Probe("redis://app:secret@" + host)) {
            Throwable failure = Probe.failure(probe.store.acquire(probe.claim("x")));

            assertThat(failure)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("Redis cannot be reached: redis://" + host + "/0: " + said);
            assertThat(stackTrace(failure)).doesNotContain("secret");
        }
    }

    @Test
    void whatAServerSays_cannotForgeALine() throws IOException {
        try (ScriptedServer server = new ScriptedServer(words -> "-ERR no\u001b[31m\tway");
                Probe probe = new Probe("redis://127.0.0.1:" + server.port() + "/1")) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x")))
                            .getMessage())
                    .contains("no\\u{1B}[31m\\tway");
        }
    }

    private static String withoutAuth(List<String> words) {
        return switch (words.get(0)) {
            case "AUTH" -> "-ERR unknown command 'AUTH', with args beginning with: 'app' 'wr0ng' ";
            case "SENTINEL" -> "-NOAUTH Authentication required.";
            default -> ScriptedServer.hello("standalone", "master");
        };
    }

    /** With all causes and all that is suppressed. */
    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void theRightPasswordOpens() {
        try (RedisServer server = RedisServer.builder().password("r%/@:i").start();
                Probe probe = new Probe(server.uri())) {
            probe.hold("x");
        }
    }

    @Test
    void aServerThatMayEvictLocksIsNamedOnce() {
        try (LogCapture log = new LogCapture();
                RedisServer server = RedisServer.builder()
                        .config("maxmemory-policy allkeys-lru")
                        .start();
                Probe probe = new Probe(server.uri())) {
            probe.hold("x");
            await().until(() -> !log.warnings.isEmpty());
            server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .until(() -> probe.granted(probe.claim("y-" + System.nanoTime())) > 0);
            probe.hold("z");

            assertThat(log.warnings).hasSize(1);
            assertThat(log.warnings.get(0).getMessage())
                    .contains("set maxmemory-policy to noeviction")
                    .contains("allkeys-lru");
        }
    }

    @Test
    void aServerThatDoesNotEvictIsNotWarnedOf() {
        try (LogCapture log = new LogCapture();
                RedisServer server = RedisServer.start();
                Probe probe = new Probe(server.uri())) {
            probe.release(probe.hold("x"));
            assertThat(log.warnings).isEmpty();
        }
    }

    @Test
    void aServerTooOldIsNamedAsSuch() throws IOException {
        try (FakeServer old = new FakeServer("-ERR unknown command 'HELLO'\r\n");
                Probe probe = new Probe("redis://127.0.0.1:" + old.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("Interlock needs Redis 6.0 or later");
            }
        }
    }

    @Test
    void aVersionTooOldIsNamed() throws IOException {
        try (FakeServer old = new FakeServer("*4\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n5.0.14\r\n");
                Probe probe = new Probe("redis://127.0.0.1:" + old.port())) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                    .hasMessageContaining("Interlock needs Redis 6.0 or later: version=5.0.14");
        }
    }

    private static void hasNoPassword(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            assertThat(String.valueOf(t)).doesNotContain("wr0ng");
        }
    }

    /** Answers whatever it is asked first with a given text, and then nothing: an old server is not to be had. */
    private static final class FakeServer implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final List<Socket> clients = new CopyOnWriteArrayList<>();

        FakeServer(String answer) throws IOException {
            var unused = CompletableFuture.runAsync(() -> serve(answer));
        }

        int port() {
            return listening.getLocalPort();
        }

        private void serve(String answer) {
            try {
                while (true) {
                    Socket client = listening.accept();
                    clients.add(client);
                    InputStream in = client.getInputStream();
                    if (in.read() >= 0) {
                        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    }
                }
            } catch (IOException e) {
                // The test is over.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}
