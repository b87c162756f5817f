package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.ScenariosContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scenarios, on ZooKeeper. */
@Tag("wide")
class ZooKeeperScenariosTest extends ScenariosContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
    }

    @Override
    protected int pairs() {
        return Effort.pick(200, 1_000);
    }
}
