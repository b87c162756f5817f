package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules do as the model of claims that are in order. On mongo-java-server, not MongoDB, unless told otherwise. */
class JavaServerMongoClaimModelTest extends ClaimModelContract {

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

    /** Each step is several requests. */
    @Override
    protected int steps() {
        return Effort.pick(200, 20_000);
    }
}
