package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ScenariosContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scenarios, on etcd. */
@Tag("long")
class EtcdScenariosTest extends ScenariosContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }

    @Override
    protected int pairs() {
        return 1_000;
    }
}
