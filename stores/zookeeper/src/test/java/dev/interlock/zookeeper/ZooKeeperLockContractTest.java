package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.RevocationContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks on ZooKeeper keep the contract of locks. */
@Tag("drivers")
class ZooKeeperLockContractTest extends DistributedLockContract implements RevocationContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    /** Below a path: a server keeps metrics of every node that the root has ever had (P22). */
    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.over(SERVER.client().usingNamespace("locks"));
    }

    @Override
    protected int scale() {
        return 300;
    }
}
