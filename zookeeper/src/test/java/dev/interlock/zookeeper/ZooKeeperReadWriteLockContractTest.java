package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.ReadWriteLockContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Read/write locks keep their contract, on the nodes of Curator's recipe. */
class ZooKeeperReadWriteLockContractTest extends ReadWriteLockContract {

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
}
