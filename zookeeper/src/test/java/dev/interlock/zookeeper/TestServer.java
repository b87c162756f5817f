package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** One server, and one client of it that is connected, for the tests of a class. */
final class TestServer implements AutoCloseable {

    /**
     * The long form uses far more names in a minute than the 10,000 whose containers a server removes in one: they would fill it, and a listing be longer than a client takes. This one removes them all, five times in a second.
     */
    private final ZooKeeperServer server = ZooKeeperServer.settings()
            .property("znode.container.checkIntervalMs", Effort.pick("60000", "200"))
            .property("znode.container.maxPerMinute", Effort.pick("10000", "1000000"))
            .start();

    private final CuratorFramework client =
            CuratorFrameworkFactory.newClient(server.connectString(), 10_000, 10_000, new RetryOneTime(100));

    TestServer() {
        client.start();
    }

    /** The connected client. */
    CuratorFramework client() {
        return client;
    }

    /** A URI with a session that no busy machine loses. */
    String uri() {
        return uri("", Duration.ofSeconds(15));
    }

    String uri(String path, Duration session) {
        return server.uri() + path + "?session=" + session;
    }

    /** A store with a connection of its own, which stands: the first verb of others finds none. */
    ZooKeeperStore connected() {
        ZooKeeperStore store = ZooKeeperStore.at(uri());
        var unused = store.inspect(LockId.lock("-")).toCompletableFuture().join();
        return store;
    }

    ZooKeeperServer server() {
        return server;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
