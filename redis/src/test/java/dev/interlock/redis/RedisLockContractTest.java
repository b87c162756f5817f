package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import dev.interlock.testkit.contract.FaultyStore;
import dev.interlock.testkit.contract.ManyProcessesContract;
import dev.interlock.testkit.contract.ProxyFaults;
import dev.interlock.testkit.contract.StoreFault;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Locks on Redis keep the contract of locks, under faults of the network itself and of the server. */
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

    @AfterEach
    void letTheServerGoOn() {
        StoppedServer.resume(server);
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
        List<StoreFault> faults = new ArrayList<>(ProxyFaults.of(proxy));
        faults.add(ProxyFaults.refused(proxy));
        faults.add(new StoppedServer(server, proxy));
        return new FaultyStore(RedisStore.at(server.uriAt(proxy.port())), List.copyOf(faults));
    }

    /** {@link GuestTest} uses ten million, and looks at the heap and the keys. */
    @Override
    public int namesUsedOnce() {
        return storeScale();
    }
}
