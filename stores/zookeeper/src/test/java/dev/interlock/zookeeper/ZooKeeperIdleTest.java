package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Idle costs on ZooKeeper. */
class ZooKeeperIdleTest extends IdleCostContract {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    @Override
    protected int serverPort() {
        return SERVER.server().port();
    }

    @Override
    protected LockStore openStore(int port) {
        return ZooKeeperStore.at(SERVER.server().uriAt(port) + "/idle");
    }

    /**
     * A claim that asks again reads at most three nodes, of a semaphore: the capacity, the queue and the permits. A
     * renewal looks for the node, and at the capacity of a semaphore. An inspection of a barrier's latches takes two
     * reads each, and its roster five, with two parties. The client proves its session each sixth of its 15 s while it
     * has claims; one at rest sends a ping each third, a second earlier.
     */
    @Override
    protected Prices prices() {
        return new Prices(Prices.woken(Duration.ofSeconds(1)), 3, 2, 3, 6 / 15.0);
    }
}
