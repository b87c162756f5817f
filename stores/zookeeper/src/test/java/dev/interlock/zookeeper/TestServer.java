package dev.interlock.zookeeper;

import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperServers;
import dev.interlock.testkit.server.ZooKeeperSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server or an ensemble, as {@link ZooKeeperServers} chooses, and one client that is connected, for the tests of a
 * class, which registers it.
 */
final class TestServer implements BeforeAllCallback, AfterAllCallback {

    /** A session that does not end by itself, however busy the machine is. */
    static final Duration LONG_SESSION = Patience.FULL;

    private static final int LONG_SESSION_MILLIS = (int) LONG_SESSION.toMillis();

    private static final TestServer SHARED = new TestServer();

    private @Nullable ZooKeeperServers servers;
    private @Nullable CuratorFramework client;

    /** One for all classes of this JVM that use names of their own, which ends with the JVM: a start costs a second. */
    static TestServer shared() {
        return SHARED;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws InterruptedException {
        if (this == SHARED && servers != null) {
            return;
        }
        servers = ZooKeeperServers.start(TestServer::configured);
        client = CuratorFrameworkFactory.newClient(
                connectString(), LONG_SESSION_MILLIS, LONG_SESSION_MILLIS, new RetryOneTime(100));
        client.start();
        // Its session is not one of those that begin during a test.
        client.blockUntilConnected();
        if (this == SHARED) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-server"));
        }
    }

    /**
     * The long form uses far more names in a minute than the 10,000 whose containers a server removes in one: they
     * would fill it, and a listing be longer than a client takes. This one removes them all, five times in a second.
     */
    private static ZooKeeperSettings configured(ZooKeeperSettings settings) {
        return settings.property("znode.container.checkIntervalMs", Effort.pick("60000", "200"))
                .property("znode.container.maxPerMinute", Effort.pick("10000", "1000000"));
    }

    private ZooKeeperServers servers() {
        return Objects.requireNonNull(servers);
    }

    /** The connected client. */
    CuratorFramework client() {
        return Objects.requireNonNull(client);
    }

    /** An application's own client, for the test to close. */
    CuratorFramework another(Duration session) {
        CuratorFramework own = CuratorFrameworkFactory.newClient(
                connectString(), (int) session.toMillis(), LONG_SESSION_MILLIS, new RetryOneTime(100));
        own.start();
        return own;
    }

    /** The children of this node, after everything that was done before through any server. */
    List<String> children(String path) throws Exception {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        client().sync().inBackground((curator, event) -> known.complete(true)).forPath("/");
        known.join();
        return client().getChildren().forPath(path);
    }

    String connectString() {
        return servers().connectString();
    }

    /** The URI of the root, with a session that does not end by itself. */
    String uri() {
        return uri("", LONG_SESSION);
    }

    String uri(String path, Duration session) {
        return servers().uri() + path + "?session=" + session;
    }

    /** A client with patience. */
    static Interlock patient(ZooKeeperStore store) {
        return Interlock.builder(store)
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build();
    }

    /** A client with patience, and a session that does not end by itself. */
    Interlock interlock() {
        return patient(ZooKeeperStore.at(uri()));
    }

    /** A probe with a connection of its own. */
    Probe probe() {
        return new Probe(ZooKeeperStore.at(uri())).connected();
    }

    /** The server; of several one that follows. */
    ZooKeeperServer server() {
        return servers().server();
    }

    /** Ends a session as if its time were over. */
    void expire(long session) {
        servers().expire(session);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (this != SHARED) {
            close();
        }
    }

    private void close() {
        // JUnit calls it after a failed start, too.
        if (client != null) {
            client.close();
        }
        if (servers != null) {
            servers.close();
        }
    }
}
