package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.WakeWalkContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims that wait on etcd keep the contract of wakes. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdWakeWalkTest implements WakeWalkContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    public int serverPort() {
        return ETCD.server().port();
    }

    @Override
    public LockStore openAt(int port) {
        return EtcdStore.at("etcd://127.0.0.1:" + port + "/interlock?session=5m");
    }

    @Tag("wide")
    @Test
    void P11_connectionCutAgainBeforeAnyRequest_theReleaseWakes() {
        requestsLostAfterACut();
    }
}
