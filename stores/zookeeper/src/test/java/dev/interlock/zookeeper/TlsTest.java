package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.server.TestCertificate;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With TLS, by the options of ZooKeeper's own client. */
@Tag("drivers")
@Tag("wide")
class TlsTest {

    private static TestCertificate certificate;
    private static TestCertificate stranger;
    private static ZooKeeperServer server;
    private static int port;

    @BeforeAll
    static void startServer() throws IOException {
        certificate = TestCertificate.of("ip:127.0.0.1,dns:localhost");
        stranger = TestCertificate.of("ip:127.0.0.1,dns:localhost");
        Path both = certificate.key().resolveSibling("both.pem");
        Files.writeString(both, Files.readString(certificate.certificate()) + Files.readString(certificate.key()));
        port = ZooKeeperSettings.freePort();
        server = ZooKeeperServer.settings()
                .property("zookeeper.serverCnxnFactory", NettyServerCnxnFactory.class.getName())
                .config("secureClientPort=" + port)
                .config("ssl.keyStore.type=PEM")
                .config("ssl.keyStore.location=" + both)
                .config("ssl.clientAuth=none")
                .start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static Interlock open(TestCertificate trusted) {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        config.setProperty(
                "zookeeper.ssl.trustStore.location", trusted.certificate().toString());
        // So little that a listing has a connection of its own, which needs the same.
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, "100000");
        return TestServer.patient(ZooKeeperStore.builder("zk://127.0.0.1:" + port)
                .clientConfig(config)
                .build());
    }

    @Test
    void lock_overTls() throws Exception {
        try (Interlock client = open(certificate);
                Lease lease = client.lock("secured").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(client.administration().list("secured", 10))
                    .extracting(LockStatus::name)
                    .containsExactly("secured");
        }
    }

    @Test
    void aServerThatIsNotTrusted_isNoServer() {
        try (Interlock client = open(stranger)) {
            // On a busy machine the time may be over before the server is known not to be one.
            await().untilAsserted(() -> assertThatThrownBy(
                            () -> client.lock("secured").tryLock(Duration.ofSeconds(2)))
                    .isInstanceOf(StoreUnavailableException.class));
        }
    }
}
