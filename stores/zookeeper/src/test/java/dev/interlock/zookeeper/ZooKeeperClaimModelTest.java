package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ZooKeeper agrees with the model of claims that are served in order. */
class ZooKeeperClaimModelTest extends ClaimModelContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
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
