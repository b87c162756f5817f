package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.ClaimModelContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** ZooKeeper does as the model of claims that are in order. */
class ZooKeeperClaimModelTest extends ClaimModelContract {

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
    protected boolean turnsHold() {
        return true;
    }

    @Override
    protected int steps() {
        return Effort.pick(300, 20_000);
    }
}
