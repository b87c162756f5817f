package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fair locks, semaphores and latches keep their contract. */
class ZooKeeperKindsContractTest extends KindsContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
    }
}
