package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fair locks, semaphores and latches keep their contract. */
class EtcdKindsContractTest extends KindsContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }
}
