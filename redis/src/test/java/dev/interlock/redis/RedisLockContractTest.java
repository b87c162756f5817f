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
        return faulty(openProxy(), List.of());
    }

    @Override
    protected FaultyStore openSickStore() {
        FaultProxy proxy = openProxy();
        return faulty(proxy, List.of(ProxyFaults.refused(proxy), new StoppedServer(server, proxy)));
    }

    private static FaultyStore faulty(FaultProxy proxy, List<StoreFault> more) {
        List<StoreFault> faults = new ArrayList<>(ProxyFaults.of(proxy));
        faults.addAll(more);
        return new FaultyStore(RedisStore.at(server.uriAt(proxy.port())), List.copyOf(faults));
    }

    private static FaultProxy openProxy() {
        FaultProxy proxy = FaultProxy.to(server);
        PROXIES.add(proxy);
        return proxy;
    }

    /** {@link GuestTest} uses ten million, and looks at the heap and the keys. */
    @Override
    public int namesUsedOnce() {
        return storeScale();
    }
}
