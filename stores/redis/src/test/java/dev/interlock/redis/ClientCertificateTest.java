package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.TestCertificate;
import io.lettuce.core.RedisClient;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that wants to know by TLS who its client is. */
class ClientCertificateTest {

    private static TestCertificate certificate;
    private static TestCertificate unknown;
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        certificate = TestCertificate.of("ip:127.0.0.1");
        unknown = TestCertificate.of("ip:127.0.0.1");
        server = RedisServer.builder()
                .tls(certificate)
                .config("tls-auth-clients yes")
                .start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Messages come on a connection of their own. */
    @Test
    void whoShowsItsCertificate_locks_andIsWoken() {
        String uri = uri(certificate, certificate.certificate(), certificate.key());
        RedisStore built = RedisStore.builder("rediss://127.0.0.1:" + server.tlsPort())
                .trust(certificate.certificate())
                .certificate(certificate.certificate(), certificate.key())
                .build();
        try (Probe holder = new Probe(uri);
                Probe waiter = new Probe(built)) {
            Claim claim = holder.claim("tls");
            // On a slow machine the handshake may exceed its time-out.
            await().ignoreExceptionsInstanceOf(AssertionError.class).until(() -> holder.granted(claim) > 0);
            waiter.busy(waiter.claim("tls").waiting(Duration.ZERO));
            holder.release(claim);
            await().until(() -> !waiter.wakes.isEmpty());
        }
    }

    /** With TLS 1.3 the server says so after the client has taken the connection for open. */
    @Test
    void whoHasNone_isToldWhatTheServerSaid() {
        assertRefused(
                "rediss://127.0.0.1:" + server.tlsPort() + "?trust=" + encoded(certificate.certificate()),
                "The server wants another certificate of this client");
    }

    @Test
    void whoseCertificateIsUnknown_isToldWhatTheServerSaid() {
        assertRefused(
                uri(certificate, unknown.certificate(), unknown.key()),
                "The server wants another certificate of this client");
    }

    @Test
    void filesThatAreNone_areNamed() {
        assertRefused(
                uri(certificate, Path.of("target", "no such.pem"), certificate.key()),
                "The client's certificate cannot be read: cert=target/no such.pem");
        assertRefused(
                uri(certificate, certificate.certificate(), certificate.certificate()),
                "The client's certificate or key is none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rediss://h?cert=a.pem", "rediss://h?key=a.pem"})
    void oneWithoutTheOther_isRefused(String uri) {
        assertThatThrownBy(() -> RedisStore.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the other of cert and key");
    }

    @Test
    void withoutTls_orWithTheApplicationsClient_itIsRefused() {
        assertThatThrownBy(() -> RedisStore.at("redis://h?cert=a.pem&key=b.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begin the URI with rediss://");
        RedisClient client = RedisClient.create("redis://127.0.0.1");
        try {
            assertThatThrownBy(() -> RedisStore.builder(client)
                            .certificate(Path.of("a.pem"), Path.of("b.pem"))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has its own certificate");
        } finally {
            client.shutdown();
        }
    }

    private static void assertRefused(String uri, String problem) {
        try (Probe probe = new Probe(uri)) {
            await().untilAsserted(() -> assertThat(Probe.failure(probe.store.acquire(probe.claim("refused"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(problem));
        }
    }

    private static String uri(TestCertificate trusted, Path chain, Path key) {
        return "rediss://127.0.0.1:" + server.tlsPort() + "?trust=" + encoded(trusted.certificate()) + "&cert="
                + encoded(chain) + "&key=" + encoded(key);
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), UTF_8).replace("+", "%20");
    }
}
