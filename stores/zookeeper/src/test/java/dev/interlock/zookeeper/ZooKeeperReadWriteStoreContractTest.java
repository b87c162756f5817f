package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims of read/write locks are granted and refused as the contract says. */
class ZooKeeperReadWriteStoreContractTest extends ReadWriteStoreContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client());
    }

    @Override
    protected boolean queues() {
        return true;
    }
}
