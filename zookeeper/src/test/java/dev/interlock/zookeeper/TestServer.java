package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.testkit.Effort;
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

    private @Nullable ZooKeeperServers servers;
    private @Nullable CuratorFramework client;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers = ZooKeeperServers.start(TestServer::configured);
        client = CuratorFrameworkFactory.newClient(connectString(), 10_000, 10_000, new RetryOneTime(100));
        client.start();
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
                connectString(), (int) session.toMillis(), 10_000, new RetryOneTime(100));
        own.start();
        return own;
    }

    /** What is below this node, with all that was done before, through whichever server. */
    List<String> children(String path) throws Exception {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        client().sync().inBackground((curator, event) -> known.complete(true)).forPath("/");
        known.join();
        return client().getChildren().forPath(path);
    }

    String connectString() {
        return servers().connectString();
    }

    /** A URI with a session that no busy machine loses. */
    String uri() {
        return uri("", Duration.ofSeconds(15));
    }

    String uri(String path, Duration session) {
        return servers().uri() + path + "?session=" + session;
    }

    /** A store with a connection of its own, which stands: the first verb of others finds none. */
    ZooKeeperStore connected() {
        ZooKeeperStore store = ZooKeeperStore.at(uri());
        var unused = store.inspect(LockId.lock("-")).toCompletableFuture().join();
        return store;
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
        // JUnit calls it after a failed start, too.
        if (client != null) {
            client.close();
        }
        if (servers != null) {
            servers.close();
        }
    }
}
