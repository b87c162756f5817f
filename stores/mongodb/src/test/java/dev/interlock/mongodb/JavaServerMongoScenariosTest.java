package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ScenariosContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The stories of locks. On mongo-java-server, not MongoDB, unless told otherwise. */
@Tag("long")
class JavaServerMongoScenariosTest extends ScenariosContract {

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
}
