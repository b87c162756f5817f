package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fault.ProxyFaults;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.PostgresServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Locks on PostgreSQL keep the contract of locks, under faults of the network. */
@Tag("drivers")
@Tag("wide")
class PostgresLockContractTest extends DistributedLockContract {

    private static final String URL = PostgresServer.shared().newDatabase();
    private static final List<FaultProxy> PROXIES = new CopyOnWriteArrayList<>();
    private static final TestPool POOL = new TestPool(URL);

    /** A first connection takes longer than the shortest wait of the tests. */
    @BeforeAll
    static void fillPool() {
        POOL.filled();
    }

    @AfterAll
    static void closePool() {
        POOL.close();
        PROXIES.forEach(FaultProxy::close);
    }

    /** Connected: on a busy machine, connecting takes as long as the shortest waits of the tests. */
    @Override
    protected LockStore openStore() {
        JdbcStore store = JdbcStore.over(POOL.source());
        Client.repeated(() -> store.inspect(LockId.lock("connect")));
        return store;
    }

    @Override
    protected FaultyStore openFaultyStore() {
        FaultProxy proxy = FaultProxy.to("127.0.0.1", PostgresServer.shared().port());
        PROXIES.add(proxy);
        String database = URL.substring(URL.lastIndexOf('/'));
        ServerUri uri = ServerUri.parse("jdbc:postgresql://127.0.0.1:" + proxy.port() + database);
        return new FaultyStore(JdbcStore.at(uri), ProxyFaults.of(proxy));
    }

    /** Each acquisition is a commit. */
    @Override
    protected int scale() {
        return 3_000;
    }
}
