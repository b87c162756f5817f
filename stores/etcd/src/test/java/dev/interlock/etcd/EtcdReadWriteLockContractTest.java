package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks keep their contract. */
@Tag("long")
class EtcdReadWriteLockContractTest extends ReadWriteLockContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }
}
