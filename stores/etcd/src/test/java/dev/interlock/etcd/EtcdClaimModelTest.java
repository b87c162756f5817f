package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The keys do as the model of claims that are served in order. */
@Tag("long")
class EtcdClaimModelTest extends ClaimModelContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected LockStore openStore() {
        return ETCD.over();
    }

    @Override
    protected boolean turnsHold() {
        return true;
    }

    @Override
    protected int steps() {
        return Effort.pick(300, 20_000);
    }
}
