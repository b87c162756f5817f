package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.ScenariosContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The stories, on ZooKeeper. */
class ZooKeeperScenariosTest extends ScenariosContract {

    private static TestServer server;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(server.client());
    }

    @Override
    protected int pairs() {
        return 1_000;
    }
}
