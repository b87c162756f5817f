package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks on etcd keep the contract of locks. */
@Tag("long")
class EtcdLockContractTest extends DistributedLockContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }

    @Override
    protected int scale() {
        return 300;
    }
}
