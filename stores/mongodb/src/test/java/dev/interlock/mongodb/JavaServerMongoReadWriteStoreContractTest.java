package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Claims of read/write locks are granted and refused as the contract says. On mongo-java-server, not MongoDB, unless
 * told otherwise.
 */
class JavaServerMongoReadWriteStoreContractTest extends ReadWriteStoreContract {

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
