package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks keep their contract, on the nodes of Curator's recipe. */
class ZooKeeperReadWriteLockContractTest extends ReadWriteLockContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
    }
}
