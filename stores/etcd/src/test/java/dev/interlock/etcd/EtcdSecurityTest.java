package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.EtcdServer;
import dev.interlock.testkit.server.TestCertificate;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users, rights, and TLS. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class EtcdSecurityTest {

    @BeforeEach
    void needsEtcd() {
        TestEtcd.assumeInstalled();
    }

    private static Interlock open(String uri) {
        return Interlock.builder(EtcdStore.at(uri)).storeTimeout(Patience.FULL).build();
    }

    @Test
    void tls_needsATrustedCertificate() throws Exception {
        TestCertificate certificate = TestCertificate.of("ip:127.0.0.1");
        try (EtcdServer server = EtcdServer.startWithTls(certificate);
                Interlock trusting = open("etcds://" + server.host() + "/locks?trust=" + certificate.certificate());
                Interlock other = Interlock.builder(EtcdStore.at("etcds://" + server.host() + "/locks"))
                        .storeTimeout(Duration.ofSeconds(3))
                        .build()) {
            trusting.lock("tls").acquire().close();

            assertThatThrownBy(() -> other.lock("tls").lock()).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void trustThatCannotBeRead_isNamed() throws Exception {
        try (EtcdStore store = EtcdStore.at("etcds://127.0.0.1:1/locks?trust=/no/such.pem")) {
            assertThat(BlockingClient.failure(store.inspect(LockId.lock("tls"))))
                    .hasStackTraceContaining("trust=/no/such.pem");
        }
    }

    @Test
    void user_hasThePrefixOfTheStore_andNoMore() throws Exception {
        try (EtcdServer server = EtcdServer.start();
                Client root =
                        Client.builder().endpoints("http://" + server.host()).build()) {
            Auth auth = root.getAuthClient();
            auth.userAdd(Operations.bytes("root"), Operations.bytes("r")).get();
            auth.userGrantRole(Operations.bytes("root"), Operations.bytes("root"))
                    .get();
            auth.roleAdd(Operations.bytes("locks")).get();
            auth.roleGrantPermission(
                            Operations.bytes("locks"),
                            Operations.bytes("locks"),
                            Operations.bytes("lockt"),
                            Permission.Type.READWRITE)
                    .get();
            auth.userAdd(Operations.bytes("us@er"), Operations.bytes("pass:word"))
                    .get();
            auth.userGrantRole(Operations.bytes("us@er"), Operations.bytes("locks"))
                    .get();
            auth.authEnable().get();
            String host = "us%40er:pass%3Aword@" + server.host();
            try (Interlock client = open("etcd://" + host + "/locks");
                    Interlock waiter = open("etcd://" + host + "/locks")) {
                Lease held = client.lock("user").acquire();
                Caller<Lease> waiting =
                        Caller.start(waiter.lock("user")::acquire).awaitBlocked();
                held.close();
                waiting.result().close();
                client.semaphore("user", 2).acquire(2).close();
                client.latch("user").trySetCount(1);
                client.readWriteLock("user").readLock().acquire().close();
            }
            assertRefused("etcd://" + host + "/others", "begin with the store's path");
            assertRefused("etcd://us%40er:secret@" + server.host() + "/locks", "user or the password");
        }
    }

    /** On a busy machine the last thing that the client hears of may be a time-out: then it tries again. */
    private static void assertRefused(String uri, String message) {
        try (Interlock client = Interlock.builder(EtcdStore.at(uri))
                .storeTimeout(Duration.ofSeconds(3))
                .build()) {
            await().untilAsserted(() -> assertThatThrownBy(
                            () -> client.lock("refused").lock())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasStackTraceContaining(message)
                    .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("secret")));
        }
    }

    private static String stackTrace(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }
}
