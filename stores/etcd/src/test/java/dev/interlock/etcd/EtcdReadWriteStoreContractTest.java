package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims of read/write locks are granted and refused as the contract says. */
class EtcdReadWriteStoreContractTest extends ReadWriteStoreContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }

    @Override
    protected boolean queues() {
        return true;
    }
}
