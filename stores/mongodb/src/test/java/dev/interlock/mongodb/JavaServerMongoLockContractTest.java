package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.server.FaultProxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Locks keep their contract, between processes too and under faults of the network itself. On mongo-java-server, not
 * MongoDB, unless told otherwise.
 */
@Tag("drivers")
@Tag("long")
class JavaServerMongoLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final List<FaultProxy> PROXIES = new CopyOnWriteArrayList<>();
    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.startApart();
    }

    @AfterAll
    static void stop() {
        PROXIES.forEach(FaultProxy::close);
        mongo.close();
    }

    @Override
    protected LockStore openStore() {
        return MongoStore.over(mongo.client(), mongo.database());
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    /** The first use of a name is four requests. */
    @Override
    protected int scale() {
        return 2_000;
    }

    @Override
    public String storeUri() {
        return mongo.uri();
    }

    @Override
    protected FaultyStore openFaultyStore() {
        FaultProxy proxy = FaultProxy.to("127.0.0.1", mongo.port());
        PROXIES.add(proxy);
        return new FaultyStore(MongoStore.at(mongo.uriAt(proxy.port())), TestMongo.faults(proxy));
    }
}
