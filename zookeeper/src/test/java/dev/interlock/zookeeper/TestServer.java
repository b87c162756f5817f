package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.ZooKeeperEnsemble;
import dev.interlock.testkit.server.ZooKeeperServer;
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
 * One server, and one client of it that is connected, for the tests of a class, which registers it. Or an ensemble, of as many servers as the system property {@value #SERVERS} says: 3; then clients come to any of them, but
 * for those of a proxy.
 */
final class TestServer implements BeforeAllCallback, AfterAllCallback {

    private static final String SERVERS = "zookeeper.servers";

    private @Nullable ZooKeeperEnsemble ensemble;
    private @Nullable ZooKeeperServer server;
    private @Nullable CuratorFramework client;

    @Override
    public void beforeAll(ExtensionContext context) {
        ensemble = isSeveral() ? ZooKeeperEnsemble.start(TestServer::configured) : null;
        server = ensemble == null
                ? configured(ZooKeeperServer.settings()).start()
                : ensemble.followers().get(0);
        client = CuratorFrameworkFactory.newClient(connectString(), 10_000, 10_000, new RetryOneTime(100));
        client.start();
    }

    private static boolean isSeveral() {
        int servers = Integer.getInteger(SERVERS, 1);
        if (servers != 1 && servers != ZooKeeperEnsemble.SIZE) {
            throw new IllegalArgumentException(SERVERS + " must be 1 or " + ZooKeeperEnsemble.SIZE + ": " + servers);
        }
        return servers > 1;
    }

    /**
     * The long form uses far more names in a minute than the 10,000 whose containers a server removes in one: they would fill it, and a listing be longer than a client takes. This one removes them all, five times in a second.
     */
    private static ZooKeeperSettings configured(ZooKeeperSettings settings) {
        return settings.property("znode.container.checkIntervalMs", Effort.pick("60000", "200"))
                .property("znode.container.maxPerMinute", Effort.pick("10000", "1000000"));
    }

    /** The connected client. */
    CuratorFramework client() {
        return Objects.requireNonNull(client);
    }

    /** What is below this node, with all that was done before, through whichever server. */
    List<String> children(String path) throws Exception {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        client().sync().inBackground((curator, event) -> known.complete(true)).forPath("/");
        known.join();
        return client().getChildren().forPath(path);
    }

    String connectString() {
        return ensemble == null ? server().connectString() : ensemble.connectString();
    }

    /** A URI with a session that no busy machine loses. */
    String uri() {
        return uri("", Duration.ofSeconds(15));
    }

    String uri(String path, Duration session) {
        return "zk://" + connectString() + path + "?session=" + session;
    }

    /** A store with a connection of its own, which stands: the first verb of others finds none. */
    ZooKeeperStore connected() {
        ZooKeeperStore store = ZooKeeperStore.at(uri());
        var unused = store.inspect(LockId.lock("-")).toCompletableFuture().join();
        return store;
    }

    /** The server; of several one that follows. */
    ZooKeeperServer server() {
        return Objects.requireNonNull(server);
    }

    /** Ends a session as if its time were over. */
    void expire(long session) {
        (ensemble == null ? server() : ensemble.awaitLeader()).expire(session);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        client().close();
        if (ensemble == null) {
            server().close();
        } else {
            ensemble.close();
        }
    }
}
