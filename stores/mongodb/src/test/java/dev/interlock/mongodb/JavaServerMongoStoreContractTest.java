package dev.interlock.mongodb;

import dev.interlock.testkit.contract.store.PollingStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The six verbs keep their contract, over one client of an application. On mongo-java-server, not MongoDB, unless told
 * otherwise.
 */
@Tag("drivers")
class JavaServerMongoStoreContractTest extends PollingStoreContract {

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
    protected MongoStore openStore() {
        return MongoStore.over(mongo.client(), mongo.database());
    }
}
