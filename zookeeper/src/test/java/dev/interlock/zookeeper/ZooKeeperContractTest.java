package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The store keeps the contract of the five verbs, on a client of the application: its claims stay when the store is closed. */
class ZooKeeperContractTest extends LockStoreContract {

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
    protected boolean queues() {
        return true;
    }
}
