package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The store keeps the contract of the six verbs, on a client of the application: its claims stay when the store is
 * closed.
 */
@Tag("drivers")
class ZooKeeperContractTest extends LockStoreContract {

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
