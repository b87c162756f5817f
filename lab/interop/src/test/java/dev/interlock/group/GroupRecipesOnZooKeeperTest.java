package dev.interlock.group;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.ZooKeeperServers;
import dev.interlock.zookeeper.ZooKeeperStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The table of groups and upgrades on ZooKeeper. */
@Tag("wide")
class GroupRecipesOnZooKeeperTest extends GroupRecipesContract {

    private static ZooKeeperServers server;

    @BeforeAll
    static void startServer() {
        server = ZooKeeperServers.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.at(server.uri() + "?session=5m");
    }
}
