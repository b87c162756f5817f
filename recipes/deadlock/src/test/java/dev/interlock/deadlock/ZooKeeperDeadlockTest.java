package dev.interlock.deadlock;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.ZooKeeperServers;
import dev.interlock.zookeeper.ZooKeeperStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Deadlocks between clients of one ZooKeeper. */
@Tag("long")
class ZooKeeperDeadlockTest extends DeadlockContract {

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
    int shortRuns() {
        return 4;
    }

    @Override
    LockStore openStore() {
        return ZooKeeperStore.at(servers.uri() + "?session=5m");
    }
}
