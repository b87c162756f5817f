package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fault.ProxyFaults;
import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.server.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Locks on Redis keep the contract of locks, under faults of the network itself and of the server, with no more rights
 * than the least (P28).
 */
@Tag("some")
@Tag("server")
@Tag("drivers")
class RedisLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final List<FaultProxy> PROXIES = new CopyOnWriteArrayList<>();
    private static LeastRights rights;

    @BeforeAll
    static void startServer() {
        rights = new LeastRights();
    }

    @AfterAll
    static void stopServer() {
        PROXIES.forEach(FaultProxy::close);
        rights.close();
    }

    @AfterEach
    void letTheServerGoOn() {
        StoppedServer.resume(rights.server);
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(rights.uri());
    }

    @Override
    public String storeUri() {
        return rights.uri();
    }

    @Override
    protected FaultyStore openFaultyStore() {
        return faulty(openProxy(), List.of());
    }

    @Override
    protected FaultyStore openSickStore() {
        FaultProxy proxy = openProxy();
        return faulty(proxy, List.of(ProxyFaults.refused(proxy), new StoppedServer(rights.server, proxy)));
    }

    private static FaultyStore faulty(FaultProxy proxy, List<StoreFault> more) {
        List<StoreFault> faults = new ArrayList<>(ProxyFaults.of(proxy));
        faults.addAll(more);
        return new FaultyStore(RedisStore.at(rights.uriAt(proxy.port())), List.copyOf(faults));
    }

    private static FaultProxy openProxy() {
        FaultProxy proxy = FaultProxy.to(rights.server);
        PROXIES.add(proxy);
        return proxy;
    }

    /** {@link GuestTest} uses ten million, and looks at the heap and the keys. */
    @Override
    public int namesUsedOnce() {
        return storeScale();
    }
}
