package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.ReadWriteStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Claims of read/write locks are granted and refused as the contract says. */
class ZooKeeperReadWriteStoreContractTest extends ReadWriteStoreContract {

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
