package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Read/write locks keep their contract. On mongo-java-server, not MongoDB, unless told otherwise. */
@Tag("long")
class JavaServerMongoReadWriteLockContractTest extends ReadWriteLockContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
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
}
