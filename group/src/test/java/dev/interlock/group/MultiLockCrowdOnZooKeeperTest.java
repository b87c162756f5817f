package dev.interlock.group;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.zookeeper.ZooKeeperStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A crowd on ZooKeeper, each in a session of its own. */
class MultiLockCrowdOnZooKeeperTest extends MultiLockCrowdContract {

    private static ZooKeeperServer server;

    @BeforeAll
    static void startServer() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    LockStore openStore() {
        return ZooKeeperStore.at(server.uri());
    }

    @Override
    int clientCount() {
        return 100;
    }

    @Override
    int rounds() {
        return Effort.pick(1, 20);
    }
}
