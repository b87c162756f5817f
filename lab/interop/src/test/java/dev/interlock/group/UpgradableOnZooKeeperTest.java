package dev.interlock.group;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.ZooKeeperServers;
import dev.interlock.zookeeper.ZooKeeperStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The upgradable lock on ZooKeeper. */
@Tag("wide")
class UpgradableOnZooKeeperTest extends UpgradableContract {

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
        return ZooKeeperStore.at(servers.uri() + "?session=5m");
    }
}
