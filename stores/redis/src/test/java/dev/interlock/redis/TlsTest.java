package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.TestCertificate;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * TLS against a real server: whom the certificate names and who has signed it is checked, and what is wrong is named.
 */
@Tag("server")
@Tag("drivers")
@Tag("wide")
class TlsTest {

    private static TestCertificate certificate;
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        certificate = TestCertificate.of("ip:127.0.0.1");
        server = RedisServer.builder().tls(certificate).start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aTrustedCertificateOfThisHostOpens() {
        try (Probe probe = new Probe(uri(server.tlsPort(), certificate.certificate()))) {
            assertOpens(probe);
        }
    }

    @Test
    void theTrustMayBeGivenToTheBuilder() {
        RedisStore store = RedisStore.builder("rediss://127.0.0.1:" + server.tlsPort())
                .trust(certificate.certificate())
                .build();
        try (Probe probe = new Probe(store)) {
            assertOpens(probe);
        }
    }

    /** Messages come on a connection of their own. */
    @Test
    void wakesComeOverTlsToo() {
        String uri = uri(server.tlsPort(), certificate.certificate());
        try (Probe holder = new Probe(uri);
                Probe waiter = new Probe(uri)) {
            assertOpens(holder);
            assertOpens(waiter);
            var held = holder.hold("tls-wake");
            waiter.busy(waiter.claim("tls-wake").waiting(Duration.ZERO));
            holder.release(held);
            await().until(() -> !waiter.wakes.isEmpty());
        }
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() {
        TestCertificate other = TestCertificate.of("dns:elsewhere.example");
        try (RedisServer impostor = RedisServer.builder().tls(other).start()) {
            assertRefused(uri(impostor.tlsPort(), other.certificate()), "The server's certificate is for another host");
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        TestCertificate unknown = TestCertificate.of("ip:127.0.0.1");
        assertRefused(uri(server.tlsPort(), unknown.certificate()), "not signed by anybody who is trusted");
        assertRefused("rediss://127.0.0.1:" + server.tlsPort(), "name the authority's certificate with ?trust=");
    }

    /** I6: over many attempts the client would keep the connections of all of them. */
    @Test
    void aRefusedCertificateLeavesNothingInTheClient() {
        TestCertificate unknown = TestCertificate.of("ip:127.0.0.1");
        RedisURI uri =
                RedisStoreUri.parse("rediss://127.0.0.1:" + server.tlsPort()).server();
        DedicatedClient client = new DedicatedClient(uri, unknown.certificate(), null);
        try {
            int kept = Probe.kept(client.client()).size();
            for (int i = 0; i < 3; i++) {
                // On a slow machine the handshake may exceed its time-out.
                await().untilAsserted(() -> assertThat(Probe.failure(new NodeConnector(client, uri).connect()))
                        .hasStackTraceContaining("SSLHandshakeException"));
            }

            await().untilAsserted(() -> assertThat(Probe.kept(client.client())).hasSizeLessThanOrEqualTo(kept));
        } finally {
            client.close();
        }
    }

    @Test
    void aPortWithoutTlsIsNamedAsSuch() {
        assertRefused(uri(server.port(), certificate.certificate()), "The server did not answer in TLS");
    }

    @Test
    void P23_aMissingTrustFileIsNamedByTheFirstVerb() {
        assertRefused(
                uri(server.tlsPort(), Path.of("target", "no such.pem")),
                "The certificates to trust cannot be read: trust=target/no such.pem");
    }

    @Test
    void trustWithoutTlsIsRefused() {
        assertThatThrownBy(() -> RedisStore.at("redis://127.0.0.1?trust=ca.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begin the URI with rediss://");
        RedisClient client = RedisClient.create("redis://127.0.0.1");
        try {
            assertThatThrownBy(() ->
                            RedisStore.builder(client).trust(Path.of("ca.pem")).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("The application's own client has its own trust");
        } finally {
            client.shutdown();
        }
    }

    /**
     * The handshake has a time-out of its own, which a slow machine may exceed: then the next attempt is to succeed.
     */
    private static void assertOpens(Probe probe) {
        Claim claim = probe.claim("opens");
        await().ignoreExceptionsInstanceOf(AssertionError.class).until(() -> probe.granted(claim) > 0);
        probe.release(claim);
    }

    private static void assertRefused(String uri, String problem) {
        long calls = server.calls("evalsha");
        try (Probe probe = new Probe(uri)) {
            await().untilAsserted(() -> assertThat(Probe.failure(probe.store.acquire(probe.claim("refused"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(problem)
                    .hasMessageContaining("rediss://127.0.0.1:"));
        }
        assertThat(server.calls("evalsha")).isEqualTo(calls);
    }

    private static String uri(int port, Path trust) {
        return "rediss://127.0.0.1:" + port + "?trust="
                + URLEncoder.encode(trust.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
