package dev.interlock.etcd;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.EtcdServer;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One etcd, and a client, for the tests of a class, which registers it. Without an etcd the class is skipped. */
final class TestEtcd implements BeforeAllCallback, AfterAllCallback {

    /** A session that does not end by itself, however busy the machine is. */
    static final Duration LONG_SESSION = Patience.FULL;

    private static final TestEtcd SHARED = new TestEtcd();

    private @Nullable EtcdServer server;
    private @Nullable Client client;

    /** One for all classes of this JVM that use names of their own, which ends with the JVM. */
    static TestEtcd shared() {
        return SHARED;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        assumeInstalled();
        if (server != null) {
            return;
        }
        server = EtcdServer.start();
        client = Client.builder().endpoints("http://" + server.host()).build();
        if (this == SHARED) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-server"));
        }
    }

    static void assumeInstalled() {
        assumeThat(EtcdServer.isInstalled())
                .as("etcd is on the PATH, or its folder is named by -Detcd.bin")
                .isTrue();
    }

    EtcdServer server() {
        return Objects.requireNonNull(server);
    }

    /** A client of the tests' own. */
    Client client() {
        return Objects.requireNonNull(client);
    }

    /** A store over the client of the tests, as an application has it. */
    EtcdStore over() {
        return EtcdStore.over(client(), "interlock", LONG_SESSION);
    }

    String uri() {
        return uri(LONG_SESSION);
    }

    String uri(Duration session) {
        return "etcd://" + server().host() + "/interlock?session=" + session;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (this != SHARED) {
            close();
        }
    }

    private void close() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }
}
