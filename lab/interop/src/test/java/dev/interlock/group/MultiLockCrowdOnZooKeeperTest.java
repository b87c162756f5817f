package dev.interlock.group;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.ZooKeeperServers;
import dev.interlock.zookeeper.ZooKeeperStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A crowd on ZooKeeper, each in a session of its own. */
@Tag("wide")
class MultiLockCrowdOnZooKeeperTest extends MultiLockCrowdContract {

    private static ZooKeeperServers servers;

    @BeforeAll
    static void startServers() {
        servers = ZooKeeperServers.start();
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @Override
    LockStore openStore() {
        return ZooKeeperStore.at(servers.uri());
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
