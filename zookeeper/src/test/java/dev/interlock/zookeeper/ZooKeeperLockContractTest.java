package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import dev.interlock.testkit.contract.RevocationContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Locks on ZooKeeper keep the contract of locks. */
class ZooKeeperLockContractTest extends DistributedLockContract implements RevocationContract {

    private static TestServer server;

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Below a path: a server keeps metrics of every node that the root has ever had (P22). */
    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(server.client().usingNamespace("locks"));
    }

    @Override
    protected int scale() {
        return 300;
    }
}
