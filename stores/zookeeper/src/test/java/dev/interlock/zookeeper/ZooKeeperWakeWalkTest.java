package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.WakeWalkContract;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims that wait on ZooKeeper keep the contract of wakes. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZooKeeperWakeWalkTest implements WakeWalkContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    public int serverPort() {
        return SERVER.server().port();
    }

    @Override
    public LockStore openAt(int port) {
        return ZooKeeperStore.at(SERVER.server().uriAt(port) + "?session=5m");
    }
}
