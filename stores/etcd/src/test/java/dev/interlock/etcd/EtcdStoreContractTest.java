package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The six verbs keep their contract. */
class EtcdStoreContractTest extends LockStoreContract {

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
