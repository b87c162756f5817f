package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import dev.interlock.testkit.contract.FaultyStore;
import dev.interlock.testkit.contract.ManyProcessesContract;
import dev.interlock.testkit.contract.ProxyFaults;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Locks on Redis keep the contract of locks, under faults of the network itself. */
class RedisLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final List<FaultProxy> PROXIES = new CopyOnWriteArrayList<>();
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        PROXIES.forEach(FaultProxy::close);
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(server.uri());
    }

    @Override
    public String storeUri() {
        return server.uri();
    }

    @Override
    protected FaultyStore openFaultyStore() {
        FaultProxy proxy = FaultProxy.to(server);
        PROXIES.add(proxy);
        return new FaultyStore(RedisStore.at(server.uriAt(proxy.port())), ProxyFaults.of(proxy));
    }

    /** {@link GuestTest} uses ten million, and looks at the heap and the keys. */
    @Override
    public int namesUsedOnce() {
        return storeScale();
    }
}
