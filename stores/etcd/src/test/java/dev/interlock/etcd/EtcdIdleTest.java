package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Idle costs on etcd. */
class EtcdIdleTest extends IdleCostContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Override
    protected int serverPort() {
        String host = ETCD.server().host();
        return Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    }

    @Override
    protected LockStore openStore(int port) {
        return EtcdStore.at("etcd://127.0.0.1:" + port + "/idle");
    }

    /**
     * Each request of the engine is one transaction: the head and the body of a request of HTTP/2. The session gives a
     * sign of life each sixth of its 15 s, by a stream that is opened, used and closed; HTTP/2 answers a ping besides.
     */
    @Override
    protected Prices prices() {
        return new Prices(Prices.woken(Duration.ofSeconds(1)), 2, 2, 2, 4 * 6 / 15.0);
    }
}
