package dev.interlock.zookeeper;

import dev.interlock.spi.LockId;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** One server, and one client of it that is connected, for the tests of a class. */
final class TestServer implements AutoCloseable {

    private final ZooKeeperServer server = ZooKeeperServer.start();
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
